import type { Engine } from '../engine/engine.ts'
export const DEFAULT_IMAGE = 'bash-docker-test/base:dev'
export async function ensureImage(
  engine: Engine,
  options: { reference: string; pull: 'missing' | 'never' },
): Promise<{ reference: string }> {
  if ((await engine.port.inspectImage(options.reference)) === undefined) throw new Error('no image')
  return { reference: options.reference }
}
