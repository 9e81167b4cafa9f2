import { request } from 'node:http'

const answerTimeoutMs = 2000

/**
 * Whether an engine answers on a unix socket.
 *
 * @param {string} socketPath
 * @returns {Promise<boolean>}
 */
export function pingEngine(socketPath) {
  return new Promise((resolve) => {
    const asked = request({ socketPath, path: '/_ping', timeout: answerTimeoutMs }, (response) => {
      response.resume()
      resolve(response.statusCode === 200)
    })
    asked.once('timeout', () => asked.destroy(new Error('no answer')))
    asked.once('error', () => resolve(false))
    asked.end()
  })
}
