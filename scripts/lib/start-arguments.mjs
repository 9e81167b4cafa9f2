/** Options of `bash-docker run` that need no engine, or name one themselves. */
const decisive = ['--local', '--engine', '--context', '--help', '-h']

/**
 * Whether a run with these arguments takes whatever engine there is, so that set-up may start one.
 *
 * @param {string[]} args of `npm start`
 */
export function needsDiscovery(args) {
  // Without a leading option, all of it is the command.
  if (!args[0]?.startsWith('-')) return true
  const end = args.indexOf('--')
  const options = end === -1 ? args : args.slice(0, end)
  return !options.some((option) => decisive.includes(option.replace(/=.*$/s, '')))
}
