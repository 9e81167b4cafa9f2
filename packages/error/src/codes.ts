interface ErrorDefinition {
  /** What the reader can do about it, in one sentence. */
  readonly hint: string
  /** Whether the same request can succeed later without a change to it. */
  readonly retryable: boolean
}

/**
 * Every code of this project. `docs/errors.md` has a heading for each, and a test holds the two
 * together. A code is never renamed and never changes its meaning.
 */
export const errorCodes = {
  // The request.
  COMMAND_BLANK: { retryable: false, hint: 'Give a command that is not empty or white space.' },
  COMMAND_INVALID: { retryable: false, hint: 'Remove the NUL byte: no program argument can hold one.' },
  COMMAND_TOO_LARGE: {
    retryable: false,
    hint: 'Put the script into a file of the workspace and run that, or pass the data on stdin.',
  },
  ENV_INVALID: {
    retryable: false,
    hint: 'A variable name is not empty and holds neither "=" nor NUL; a value is a string without NUL.',
  },
  ENV_TOO_LARGE: { retryable: false, hint: 'Pass large values on stdin or in a file of the workspace.' },
  TIMEOUT_INVALID: { retryable: false, hint: 'Give a positive, finite number of milliseconds.' },
  WORKDIR_INVALID: { retryable: false, hint: 'Give an absolute path without NUL.' },
  WORKDIR_NOT_FOUND: {
    retryable: false,
    hint: 'Create the directory, or give one that exists where the command runs: a container sees only its workspace.',
  },
  // The run.
  ABORTED_BEFORE_SPAWN: { retryable: true, hint: 'The caller aborted before the command started; nothing ran.' },
  SHELL_NOT_FOUND: { retryable: false, hint: 'Install bash where the command runs, or use an image that has it.' },
  SPAWN_FAILED: { retryable: true, hint: 'The cause names what the system refused.' },
  EXECUTOR_DISPOSED: { retryable: false, hint: 'The executor was disposed; load it again.' },
  SPILL_UNAVAILABLE: {
    retryable: false,
    hint: 'Only a spill path of this executor can be read, until it is disposed or its session ends.',
  },
  // Configuration.
  CONFIG_INVALID: { retryable: false, hint: 'Correct the named field; docs/limits.md lists every field.' },
  WORKSPACE_NOT_FOUND: { retryable: false, hint: 'Create the folder, or configure another as the workspace.' },
  WORKSPACE_REFUSED: {
    retryable: false,
    hint: 'Choose a folder of your own that holds only what the commands may see.',
  },
  // The engine.
  ENGINE_NOT_FOUND: {
    retryable: true,
    hint: 'Start a Docker Engine, or name one by option, DOCKER_HOST or DOCKER_CONTEXT; `bash-docker doctor` shows each candidate.',
  },
  ENGINE_UNREACHABLE: { retryable: true, hint: 'Start the engine that was chosen, or choose another.' },
  ENGINE_TOO_OLD: { retryable: false, hint: 'Use a Docker Engine of 20.10 or later (API 1.41).' },
  ENGINE_REFUSED: { retryable: false, hint: 'The engine refused a request; the message is its own.' },
  ENGINE_PROTOCOL: {
    retryable: true,
    hint: 'Something between us and the engine changed its stream; connect without a proxy.',
  },
  CONTEXT_INVALID: { retryable: false, hint: 'Correct the Docker context, or choose an engine by DOCKER_HOST.' },
  // The image.
  IMAGE_NOT_FOUND: { retryable: false, hint: 'Check the reference, and that you may pull it.' },
  IMAGE_PULL_FAILED: { retryable: true, hint: 'Check the registry and your login to it, or load the image by hand.' },
  IMAGE_BUILD_FAILED: {
    retryable: true,
    hint: 'The default image is built from Debian packages; give another with --image where that cannot be done.',
  },
  IMAGE_REFERENCE_INVALID: { retryable: false, hint: 'Give a reference such as debian:12 or host:5000/name@sha256:….' },
  // The session.
  SESSION_START_FAILED: {
    retryable: true,
    hint: "The message is the engine's; `bash-docker doctor` probes what it can enforce.",
  },
  SUPERVISOR_UNAVAILABLE: {
    retryable: false,
    hint: "Use transport: 'exec' (`--transport exec`), which needs nothing of ours in the container.",
  },
  SESSION_LOST: {
    retryable: true,
    hint: 'The container or the connection ended under the command; the next command gets a new session.',
  },
  // The model's tools.
  ARGUMENTS_INVALID: { retryable: false, hint: 'Correct the named arguments; the schema of the tool describes each.' },
  COMMAND_ABORTED: {
    retryable: true,
    hint: 'The caller aborted the call; what the command had done by then stays done.',
  },
  TASK_UNKNOWN: { retryable: false, hint: 'Use an id that starting a background task returned.' },
  TASK_FORBIDDEN: { retryable: false, hint: 'Only the session that started a task can read or kill it.' },
  // The command line.
  USAGE: { retryable: false, hint: '`bash-docker --help` shows the options.' },
  STREAM_FAILED: {
    retryable: true,
    hint: 'Standard input or output of bash-docker itself could not be read or written, so the command was ended.',
  },
  LISTEN_FAILED: { retryable: true, hint: 'Give another --port, or 0 for any free one.' },
} as const satisfies Record<string, ErrorDefinition>

/** A stable error code. */
export type ErrorCode = keyof typeof errorCodes
