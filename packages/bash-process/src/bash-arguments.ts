/**
 * The argument vector of a command: a fresh, non-login bash that reads no start-up file. `--norc`
 * is not superfluous: with a socket as its input, or `SSH_CLIENT` in its environment, bash takes
 * `-c` for a remote shell's and reads `~/.bashrc`. `--` makes a command that begins with a dash one
 * all the same.
 */
export function bashArguments(command: string): [name: string, ...args: string[]] {
  return ['bash', '--norc', '-c', '--', command]
}
