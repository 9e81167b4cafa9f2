import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pack } from 'tar-stream'
import type { Engine } from '../engine/engine.ts'
import { labelNames, ownerLabels, thisOwner } from '../container/owner.ts'
import { supervisorPlaces } from './places.ts'
import type { SupervisorProgram } from './program.ts'

/** The volume that holds this program, on any engine. */
export function supervisorVolumeName(program: SupervisorProgram): string {
  return `bash-docker-supervisor-${program.build.slice(0, 12)}`
}

/**
 * Puts the program into its volume. The archive endpoint reaches a volume of a container that was
 * created and never runs, on any engine and with any image. Several processes may do it at once: the
 * bytes are the same, and what finds a half-written program fails to start and comes back here.
 *
 * @param image any image that is on the engine
 */
export async function fillSupervisorVolume(engine: Engine, program: SupervisorProgram, image: string): Promise<void> {
  const name = supervisorVolumeName(program)
  const { port } = engine
  await port.createVolume(name, { [labelNames.managed]: 'true', [labelNames.supervisor]: program.build })
  const carrier = `bash-docker-carrier-${randomUUID()}`
  try {
    const id = await port.createContainer(carrier, {
      Image: image,
      Entrypoint: [supervisorPlaces.program],
      Cmd: [],
      User: '0:0',
      Env: [],
      WorkingDir: '/',
      Labels: { ...ownerLabels(thisOwner()), [labelNames.supervisor]: program.build },
      NetworkDisabled: true,
      HostConfig: {
        NetworkMode: 'none',
        Mounts: [{ Type: 'volume', Source: name, Target: supervisorPlaces.programDirectory, ReadOnly: false }],
      },
    })
    await port.putArchive(id, supervisorPlaces.programDirectory, Readable.from([await archive(program)]))
  } finally {
    await port.removeContainer(carrier)
  }
}

async function archive(program: SupervisorProgram): Promise<Buffer> {
  const tar = pack()
  tar.entry({ name: 'supervisor', mode: 0o555, uid: 0, gid: 0, mtime: new Date(0) }, program.bytes)
  tar.finalize()
  return buffer(tar)
}
