/**
 * What every command gets over the ambient environment: no colour, no pager and no terminal that
 * would garble captured output. The trusted caller's own entries still win.
 */
export const terminalOverrides: Readonly<Record<string, string>> = {
  NO_COLOR: '1',
  TERM: 'dumb',
  PAGER: 'cat',
  GIT_PAGER: 'cat',
}
