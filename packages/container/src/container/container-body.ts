import type { BindMount, ContainerBody, VolumeMount } from '../engine/requests.ts'
import { supervisorPlaces } from '../supervisor/places.ts'
import type { ContainerMain, ContainerMount, ContainerSpec, ContainerTmpfs } from './container-spec.ts'
import { labelNames, ownerLabels, thisOwner } from './owner.ts'
import { waitScript } from './wait-process.ts'

/** What the engine is asked for: the spec, and the hardening that no spec can loosen. */
export function containerBody(spec: ContainerSpec): ContainerBody {
  const ourLabels = { ...ownerLabels(thisOwner()), [labelNames.session]: spec.sessionId }
  return {
    Image: spec.image,
    ...mainProcess(spec.main),
    User: spec.main.kind === 'wait' ? waitUser : '0:0',
    Env: Object.entries(spec.env).map(([name, value]) => `${name}=${value}`),
    WorkingDir: spec.workdir,
    Hostname: spec.hostname,
    Labels: { ...spec.labels, ...ourLabels },
    AttachStdin: true,
    AttachStdout: true,
    AttachStderr: true,
    OpenStdin: true,
    StdinOnce: true,
    Tty: false,
    // A health check is an exec of its own, again and again.
    Healthcheck: { Test: ['NONE'] },
    HostConfig: {
      AutoRemove: true,
      // Something has to reap orphans, since zombies count against the pids limit; the supervisor does.
      Init: spec.main.kind === 'wait',
      CapDrop: ['ALL'],
      CapAdd: spec.main.kind === 'wait' ? [] : supervisorCapabilities,
      SecurityOpt: ['no-new-privileges'],
      ReadonlyRootfs: spec.readOnlyRoot,
      Privileged: false,
      NetworkMode: spec.network,
      IpcMode: 'private',
      // Whatever PID 1's descriptors take would fill the host's disk.
      LogConfig: { Type: 'none' },
      Memory: spec.memoryBytes,
      MemorySwap: spec.memoryBytes,
      NanoCpus: Math.round(spec.cpus * 1e9),
      PidsLimit: spec.pidsLimit,
      ShmSize: spec.shmBytes,
      Tmpfs: Object.fromEntries(spec.tmpfs.map((entry) => [entry.path, tmpfsOptions(entry)])),
      Mounts: [...spec.mounts.map(bindMount), ...mainVolumes(spec.main, ourLabels)],
      Ulimits: spec.ulimits.map(({ name, soft, hard }) => ({ Name: name, Soft: soft, Hard: hard })),
      ...(spec.runtime === undefined ? {} : { Runtime: spec.runtime }),
    },
  }
}

/**
 * To run commands as another user, to signal them, and to drop what they must not have; `CHOWN` for
 * the spill directory alone, before the first command.
 */
const supervisorCapabilities = ['SETUID', 'SETGID', 'SETPCAP', 'KILL', 'CHOWN']

/**
 * A number that nobody has: commands, also those of root, which has no capability either, can neither
 * signal what waits nor reach its descriptors.
 */
const waitUser = '65533:65533'

function mainProcess(main: ContainerMain): { Entrypoint: string[]; Cmd: string[] } {
  if (main.kind === 'wait') return { Entrypoint: ['bash'], Cmd: ['-c', waitScript] }
  const options = {
    '--spill-directory': supervisorPlaces.spillDirectory,
    '--spill-quota-bytes': String(main.spillQuotaBytes),
    '--max-commands': String(main.maxCommands),
  }
  const watched = main.watchedPaths.flatMap((path) => ['--watch-disk', path])
  return { Entrypoint: [supervisorPlaces.program], Cmd: [...Object.entries(options).flat(), ...watched] }
}

function mainVolumes(main: ContainerMain, labels: Readonly<Record<string, string>>): VolumeMount[] {
  if (main.kind === 'wait') return []
  const { programDirectory, spillDirectory } = supervisorPlaces
  return [
    { Type: 'volume', Source: main.volumeName, Target: programDirectory, ReadOnly: true },
    // On the engine's disk and not in memory: what is spilled must not take the commands' share. It goes
    // with its container, or, when somebody else removed that, by `gc`.
    { Type: 'volume', Target: spillDirectory, ReadOnly: false, VolumeOptions: { Labels: labels } },
  ]
}

function bindMount({ source, target, readOnly }: ContainerMount): BindMount {
  // Recursive mounts below a read-only one would stay writable.
  const BindOptions = { Propagation: 'rprivate', NonRecursive: readOnly } as const
  return { Type: 'bind', Source: source, Target: target, ReadOnly: readOnly, BindOptions }
}

function tmpfsOptions({ sizeBytes, mode, uid, gid }: ContainerTmpfs): string {
  return `rw,exec,nosuid,nodev,size=${sizeBytes},mode=${mode.toString(8)},uid=${uid},gid=${gid}`
}
