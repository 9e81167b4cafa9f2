import type { Duplex } from 'node:stream'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import type Docker from 'dockerode'

/** What a Docker exec printed on stdout; the empty string when the container is gone. */
export async function execText(container: Docker.Container, argv: string[], user = '1000:1000'): Promise<string> {
  let stream: Duplex
  try {
    const exec = await container.exec({ Cmd: argv, User: user, AttachStdout: true, AttachStderr: true })
    stream = await exec.start({ hijack: true, stdin: false })
  } catch (error) {
    const status = (error as { statusCode?: number }).statusCode
    // 404: removed. 409: stopped, or about to be.
    if (status === 404 || status === 409) return ''
    throw error
  }
  const stdout = new PassThrough()
  container.modem.demuxStream(stream, stdout, new PassThrough().resume())
  stream.once('close', () => stdout.end())
  stream.once('end', () => stdout.end())
  return text(stdout)
}
