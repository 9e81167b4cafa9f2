import semver from 'semver'

/**
 * Whether a version is in a range, by semantic versioning; undefined for what is no plain release.
 * Distributions repair old versions and mark them by a suffix of their own (`1.1.5+ds1`,
 * `1.1.12-0ubuntu2`): their number says nothing about what is repaired in them.
 */
export function isReleaseIn(version: string, range: string): boolean | undefined {
  const release = semver.parse(version)
  if (release === null || release.build.length > 0) return undefined
  const [stage] = release.prerelease
  if (stage !== undefined && !/^(alpha|beta|rc)\d*$/.test(String(stage))) return undefined
  return semver.satisfies(release, range, { includePrerelease: true })
}
