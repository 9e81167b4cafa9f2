/** Where a supervised container has what belongs to its supervisor. */
export const supervisorPlaces = {
  programDirectory: '/run/bash-docker/bin',
  program: '/run/bash-docker/bin/supervisor',
  spillDirectory: '/run/bash-docker/spill',
} as const
