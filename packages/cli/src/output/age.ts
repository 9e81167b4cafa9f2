const units = [
  { name: 'd', ms: 86_400_000 },
  { name: 'h', ms: 3_600_000 },
  { name: 'm', ms: 60_000 },
]

/** An age in its largest whole unit, such as `45s` or `3h`. */
export function renderAge(ageMs: number): string {
  const unit = units.find(({ ms }) => ageMs >= ms) ?? { name: 's', ms: 1000 }
  return `${Math.floor(ageMs / unit.ms)}${unit.name}`
}
