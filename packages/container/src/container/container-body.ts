import type { ContainerBody } from '../engine/requests.ts'
import type { ContainerSpec, ContainerTmpfs } from './container-spec.ts'
import { labelNames, ownerLabels, thisOwner } from './owner.ts'

/** Waits for the end of its input, by bash alone: the end of the harness is the end of the container. */
const waitScript = 'while IFS= read -r _; do :; done'

/** What the engine is asked for: the spec, and the hardening that no spec can loosen. */
export function containerBody(spec: ContainerSpec): ContainerBody {
  return {
    Image: spec.image,
    Entrypoint: ['bash'],
    Cmd: ['-c', waitScript],
    // Root without capabilities: commands run as another user and cannot signal it.
    User: '0:0',
    Env: Object.entries(spec.env).map(([name, value]) => `${name}=${value}`),
    WorkingDir: spec.workdir,
    Hostname: spec.hostname,
    Labels: { ...spec.labels, ...ownerLabels(thisOwner()), [labelNames.session]: spec.sessionId },
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
      // Reaps orphans: zombies count against the pids limit.
      Init: true,
      CapDrop: ['ALL'],
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
      Mounts: spec.mounts.map(({ source, target, readOnly }) => ({
        Type: 'bind',
        Source: source,
        Target: target,
        ReadOnly: readOnly,
        // Recursive mounts below a read-only one would stay writable.
        BindOptions: { Propagation: 'rprivate', NonRecursive: readOnly },
      })),
      Ulimits: spec.ulimits.map(({ name, soft, hard }) => ({ Name: name, Soft: soft, Hard: hard })),
      ...(spec.runtime === undefined ? {} : { Runtime: spec.runtime }),
    },
  }
}

function tmpfsOptions({ sizeBytes, mode, uid, gid }: ContainerTmpfs): string {
  return `rw,exec,nosuid,nodev,size=${sizeBytes},mode=${mode.toString(8)},uid=${uid},gid=${gid}`
}
