import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import { Demultiplexer } from '../stream/demultiplexer.ts'
import { SupervisorConnection } from './supervisor-connection.ts'

/**
 * Speaks with the supervisor that is the main process of a container, over the container's attach
 * stream: frames out are its stdin, frames in its stdout.
 */
export function attachSupervisor(socket: Socket): SupervisorConnection {
  const frames = new Readable({ read: () => undefined })
  const demultiplexer = new Demultiplexer({
    stdout: (chunk) => {
      frames.push(chunk)
    },
    // It has nothing to say there that it could not say in a frame.
    stderr: () => undefined,
  })
  socket.on('data', (chunk) => {
    try {
      demultiplexer.write(chunk)
    } catch (error) {
      frames.destroy(error as Error)
      socket.destroy()
    }
  })
  socket.once('close', () => frames.push(null))
  return new SupervisorConnection(frames, socket)
}
