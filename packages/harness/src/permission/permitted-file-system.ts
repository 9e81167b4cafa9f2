import type { Context } from '@deepseek-ai/cordis'
import {
  type FsEditOutcome,
  type FsEditRequest,
  FsError,
  type FsTarget,
  type FsVersion,
  type FsWriteIntent,
  type FsWriteOutcome,
} from '@deepseek-ai/dsh-fs'
import type { SandboxExecutionPolicy, SandboxMode } from '@deepseek-ai/dsh-sandbox'
import type {} from '@deepseek-ai/dsh-sandbox-policy'
import { DockerFileSystem } from '../fs/index.ts'

/** `ctx.fs` for the permission dialogue: changes nothing in a session whose mode is read-only. */
export class PermittedFileSystem extends DockerFileSystem {
  static override readonly inject = ['dockerWorld', 'sandboxPolicy']

  private readonly policy: Context['sandboxPolicy']

  constructor(ctx: Context, config: ConstructorParameters<typeof DockerFileSystem>[1] = {}) {
    super(ctx, config)
    this.policy = ctx.sandboxPolicy
  }

  override get sandboxMode(): SandboxMode {
    return this.policy.defaultMode
  }

  override async writeText(
    target: FsTarget,
    content: string,
    expected?: FsWriteIntent,
    signal?: AbortSignal,
    sandboxPolicy?: SandboxExecutionPolicy,
  ): Promise<FsWriteOutcome> {
    this.requirePermission('write', target, sandboxPolicy)
    return super.writeText(target, content, expected, signal)
  }

  override async editText(
    target: FsTarget,
    edit: FsEditRequest,
    expected?: { version: FsVersion },
    signal?: AbortSignal,
    sandboxPolicy?: SandboxExecutionPolicy,
  ): Promise<FsEditOutcome> {
    this.requirePermission('edit', target, sandboxPolicy)
    return super.editText(target, edit, expected, signal)
  }

  /** What the other modes may change, the mounts of the container decide. */
  private requirePermission(verb: string, target: FsTarget, policy = this.policy.resolve()): void {
    if (policy.mode !== 'read-only') return
    throw new FsError(`cannot ${verb} "${target.displayPath}": the session is read-only`, 'FS_SANDBOX_DENIED')
  }
}
