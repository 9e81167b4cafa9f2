/** What `--env` gives: `NAME=value`, or `NAME` for the caller's own, which is left out where there is none. */
export function readVariables(
  assignments: readonly string[],
  callerEnv: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const entries = assignments.flatMap((assignment): [string, string][] => {
    const at = assignment.indexOf('=')
    if (at !== -1) return [[assignment.slice(0, at), assignment.slice(at + 1)]]
    // An empty name is refused later, with every other bad name.
    const value = assignment === '' ? '' : callerEnv[assignment]
    return value === undefined ? [] : [[assignment, value]]
  })
  return Object.fromEntries(entries)
}
