/** The container's kernel is Linux whatever runs this: names come from here, not from `os.constants`. */

const signalNames = (
  'SIGHUP SIGINT SIGQUIT SIGILL SIGTRAP SIGABRT SIGBUS SIGFPE SIGKILL SIGUSR1 SIGSEGV SIGUSR2 SIGPIPE SIGALRM ' +
  'SIGTERM SIGSTKFLT SIGCHLD SIGCONT SIGSTOP SIGTSTP SIGTTIN SIGTTOU SIGURG SIGXCPU SIGXFSZ SIGVTALRM SIGPROF ' +
  'SIGWINCH SIGIO SIGPWR SIGSYS'
).split(' ')

/** Such as `SIGTERM`; a real-time signal is named by its number, `SIG40`. */
export function signalName(signal: number): string {
  return signalNames[signal - 1] ?? `SIG${signal}`
}

/** The kernel's number of a signal that has a name. */
export function signalNumber(name: string): number {
  const index = signalNames.indexOf(name)
  if (index < 0) throw new TypeError(`no such signal: ${name}`)
  return index + 1
}

const errnoNames: Readonly<Record<number, string>> = {
  1: 'EPERM',
  2: 'ENOENT',
  5: 'EIO',
  6: 'ENXIO',
  7: 'E2BIG',
  8: 'ENOEXEC',
  9: 'EBADF',
  11: 'EAGAIN',
  12: 'ENOMEM',
  13: 'EACCES',
  16: 'EBUSY',
  17: 'EEXIST',
  18: 'EXDEV',
  20: 'ENOTDIR',
  21: 'EISDIR',
  22: 'EINVAL',
  23: 'ENFILE',
  24: 'EMFILE',
  25: 'ENOTTY',
  26: 'ETXTBSY',
  27: 'EFBIG',
  28: 'ENOSPC',
  30: 'EROFS',
  31: 'EMLINK',
  36: 'ENAMETOOLONG',
  38: 'ENOSYS',
  39: 'ENOTEMPTY',
  40: 'ELOOP',
  95: 'EOPNOTSUPP',
  116: 'ESTALE',
  122: 'EDQUOT',
}

/** Such as `ENOENT`; one that is not in the list is named by its number. */
export function errnoName(errno: number): string {
  return errnoNames[errno] ?? `errno ${errno}`
}
