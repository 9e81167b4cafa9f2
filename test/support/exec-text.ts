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
    if (isGone(error)) return ''
    throw error
  }
  const stdout = new PassThrough()
  container.modem.demuxStream(stream, stdout, new PassThrough().resume())
  stream.once('close', () => stdout.end())
  stream.once('end', () => stdout.end())
  return text(stdout)
}

/** 404: removed. 409: stopped, or about to be. 500 with these words: it was stopped between the two calls. */
function isGone(error: unknown): boolean {
  const { statusCode, message } = error as { statusCode?: number; message: string }
  return statusCode === 404 || statusCode === 409 || (statusCode === 500 && message.includes('is not running'))
}
