import { z } from 'zod'
import { DEFAULT_IMAGE } from '../image/default-image.ts'

const byteCount = z.number().int().positive()
const mebibyte = 1024 * 1024

/** User and group of commands. */
export const userSchema = z.strictObject({ uid: z.number().int().min(0), gid: z.number().int().min(0) })

const limitsSchema = z.strictObject({
  /** Memory of a session, files in its tmpfs included, in bytes; swap adds nothing. */
  memoryBytes: byteCount.min(6 * mebibyte).default(2048 * mebibyte),
  /** Processors' worth of time; capped at what the engine has. */
  cpus: z.number().positive().default(2),
  /** Processes and threads of a session. */
  pidsLimit: z.number().int().min(16).default(1024),
  /** Size of `/tmp` and of `/var/tmp`, in bytes, each. */
  tmpBytes: byteCount.default(512 * mebibyte),
  /** Size of the home directory, in bytes. */
  homeBytes: byteCount.default(256 * mebibyte),
  /** Size of `/dev/shm`, in bytes. */
  shmBytes: byteCount.default(64 * mebibyte),
  /** Spill files of a session together, in bytes, on the engine's disk; the oldest finished ones go first. */
  spillQuotaBytes: byteCount.default(4096 * mebibyte),
  /** Commands of a session that may run at once. */
  maxCommands: z.number().int().min(1).max(65_536).default(256),
  /** Open files of one process; absent, what the engine gives. It cannot give more than it has itself. */
  openFiles: z.number().int().positive().optional(),
})

/** The fields that every user of a sandbox container configures alike. Each default is pinned by a test. */
export const sandboxConfigShape = {
  /** Which engine; without a choice the environment and the known sockets decide (docs/engine.md). */
  engine: z
    .strictObject({
      host: z.string().min(1).optional(),
      context: z.string().min(1).optional(),
      connectTimeoutMs: z.number().positive().optional(),
    })
    .default({}),
  /** Image reference: present, else pulled, else, for the default image, built. */
  image: z.string().min(1).default(DEFAULT_IMAGE),
  pull: z.enum(['missing', 'never']).default('missing'),
  /** `none`, or the name of a network of the engine. */
  network: z.string().min(1).default('none'),
  limits: limitsSchema.default(limitsSchema.parse({})),
  /** User and group of the commands. Default: the workspace's owner. */
  user: userSchema.optional(),
  /** OCI runtime of the engine, such as `runsc`; absent, the engine's default. */
  runtime: z.string().min(1).optional(),
}

const sandboxConfigSchema = z.object(sandboxConfigShape)

/** Resolved configuration of one sandbox container. */
export type SandboxConfig = z.output<typeof sandboxConfigSchema>
