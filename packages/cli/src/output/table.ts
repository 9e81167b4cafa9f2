const gap = '  '

/** Rows under headings, in columns as wide as they must be; nothing at all where there is no row. */
export function renderTable(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return ''
  const lines = [headings, ...rows]
  const widths = headings.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)))
  const rendered = lines.map((line) =>
    line
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join(gap)
      .trimEnd(),
  )
  return `${rendered.join('\n')}\n`
}
