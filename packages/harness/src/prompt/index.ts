import type { Context } from '@deepseek-ai/cordis'
import type {} from '@deepseek-ai/dsh-system-prompt'
import { homeDirectory } from 'dsh-container'
import type { DockerWorld } from '../world/index.ts'

export const name = 'sandbox-docker-prompt'

export const inject = ['systemPrompt', 'dockerWorld']

/** Among the guidance of the tools, after that of the file tools and of bash. */
const order = 106

/** Tells the model where it works: what it would else find out by failing. The same for every request. */
export function apply(ctx: Context): void {
  const text = worldFacts(ctx.dockerWorld.config)
  ctx.effect(() => ctx.systemPrompt.section({ name: 'sandbox-docker', order, text }))
}

function worldFacts({ image, network, workspace, paths }: DockerWorld['config']): string {
  const writable = [workspace, ...paths].filter(({ access }) => access === 'read-write').map(({ path }) => path)
  const places = [...writable, '/tmp', '/var/tmp', homeDirectory].join(', ')
  const reach =
    network === 'none'
      ? 'It has no network: nothing can be downloaded.'
      : `It is on the network ${JSON.stringify(network)}.`
  return [
    `Commands, terminals and the file tools work in a container (image ${image}), not on the user's machine.`,
    `These places can be written: ${places}; everything else is read-only. ${reach}`,
    'What is installed is what the image has. Only the workspace outlives the session.',
  ].join(' ')
}
