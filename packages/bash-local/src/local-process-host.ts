import {
  commandMarkerName,
  type HostedProcess,
  newCommandMarker,
  type OutputSink,
  type ProcessHost,
  type ProcessSpec,
  refusedProcess,
  scrubCredentialNames,
  terminalOverrides,
} from 'dsh-bash-process'
import { LocalProcess } from './local-process.ts'
import { GroupProcessTree, ProcProcessTree, type ProcessTree } from './process-tree.ts'
import { findBash } from './shell.ts'
import { SpillDirectory } from './spill-directory.ts'

/** Runs commands as children of this process, with its authority. */
export class LocalProcessHost implements ProcessHost {
  private readonly spills = new SpillDirectory()

  spawn(spec: ProcessSpec, sinks: { stdout: OutputSink; stderr: OutputSink }): HostedProcess {
    const marker = newCommandMarker()
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
      return new LocalProcess({ ...spec, bashPath, env }, sinks, treeOf, (stream) => this.spills.open(stream))
    } catch (error) {
      return refusedProcess(error)
    }
  }

  readSpill(path: string): AsyncIterable<Uint8Array> {
    return this.spills.read(path)
  }

  dispose(): Promise<void> {
    this.spills.remove()
    return Promise.resolve()
  }
}
