import type { ContainerSpec } from '../../container/container-spec.ts'
import type { SandboxContainer } from '../../container/sandbox-container.ts'
import type { Finding } from '../probe-result.ts'

/** Tries something in a hardened container. */
export interface SessionProbe {
  readonly name: string
  /** What to do when it fails, or cannot be tried. */
  readonly hint?: string
  /** @throws when it cannot be tried; that counts as failed */
  readonly run: (container: SandboxContainer, spec: ContainerSpec) => Promise<Finding>
}
