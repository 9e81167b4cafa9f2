export type Unit = 'ms' | 'MiB'

/** What is said of one case on one subject. */
export interface Measurement {
  unit: Unit
  median: number
  p95: number
  /** How many runs it is made of. */
  runs: number
}

/** @param samples at least one */
export function summarise(unit: Unit, samples: readonly number[]): Measurement {
  const sorted = [...samples].sort((a, b) => a - b)
  return { unit, median: quantile(sorted, 0.5), p95: quantile(sorted, 0.95), runs: sorted.length }
}

/** Linear interpolation between the two nearest ranks. */
function quantile(sorted: readonly number[], fraction: number): number {
  const rank = (sorted.length - 1) * fraction
  const below = sorted[Math.floor(rank)] as number
  const above = sorted[Math.ceil(rank)] as number
  return round(below + (above - below) * (rank - Math.floor(rank)))
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000
}
