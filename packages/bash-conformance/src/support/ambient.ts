/** Runs `use` while this process has these variables too; undefined removes one. */
export async function withAmbient(
  variables: Record<string, string | undefined>,
  use: () => Promise<void>,
): Promise<void> {
  const before = new Map(Object.keys(variables).map((name) => [name, process.env[name]]))
  setAll(Object.entries(variables))
  try {
    await use()
  } finally {
    setAll(before)
  }
}

function setAll(entries: Iterable<readonly [string, string | undefined]>): void {
  for (const [name, value] of entries) {
    if (value === undefined) delete process.env[name]
    else process.env[name] = value
  }
}
