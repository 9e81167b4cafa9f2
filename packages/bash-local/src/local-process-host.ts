import {
  CommandMarkers,
  commandMarkerName,
  type HostedProcess,
  endTree,
  type ProcessHost,
  type ProcessSinks,
  type ProcessSpec,
  refusedProcess,
  scrubCredentialNames,
  SpillDirectory,
  type SpillFile,
  spillUnavailable,
  terminalOverrides,
} from 'dsh-bash-process'
import { LocalProcess } from './local-process.ts'
import { GroupProcessTree, ProcProcessTree, type ProcessTree } from './process-tree.ts'
import { findBash } from './shell.ts'

/** Runs commands as children of this process, with its authority. */
export class LocalProcessHost implements ProcessHost {
  private spills: SpillDirectory | undefined
  private readonly markers = new CommandMarkers()
  private readonly graceMs: number

  /** @param graceMs from TERM to KILL for what survived its command, when the executor is disposed */
  constructor(graceMs: number) {
    this.graceMs = graceMs
  }

  spawn(spec: ProcessSpec, sinks: ProcessSinks): HostedProcess {
    const marker = this.markers.next()
    const treeOf = (leaderPid: number): ProcessTree =>
      process.platform === 'linux'
        ? new ProcProcessTree(leaderPid, `${commandMarkerName}=${marker}`)
        : new GroupProcessTree(leaderPid)
    const env = {
      ...scrubCredentialNames(process.env),
      ...terminalOverrides,
      ...spec.env,
      [commandMarkerName]: marker,
    }
    try {
      const bashPath = findBash(process.env.PATH)
      return new LocalProcess({ ...spec, bashPath, env }, sinks, treeOf, (stream) => this.openSpill(stream))
    } catch (error) {
      return refusedProcess(error)
    }
  }

  readSpill(path: string): AsyncIterable<Uint8Array> {
    if (this.spills === undefined) throw spillUnavailable(path)
    return this.spills.read(path)
  }

  async dispose(): Promise<void> {
    if (process.platform === 'linux') {
      const survivors = new ProcProcessTree(undefined, this.markers.commonAssignment)
      await endTree({ signalTree: (signal) => Promise.resolve(survivors.signal(signal)) }, this.graceMs)
    }
    this.spills?.remove()
    this.spills = undefined
  }

  /** Most executors never spill: the directory is made when it is first needed. */
  private openSpill(stream: 'stdout' | 'stderr'): SpillFile {
    this.spills ??= new SpillDirectory()
    return this.spills.open(stream)
  }
}
