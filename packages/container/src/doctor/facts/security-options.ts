import type { EngineFacts, FactProbe } from './fact-probe.ts'

export const seccompProbe: FactProbe = {
  name: 'seccomp',
  judge: (facts) => {
    const profile = securityOptions(facts).get('seccomp')
    if (profile !== undefined && profile['profile'] !== 'unconfined') {
      return { status: 'ok', detail: `system calls are filtered (profile ${profile['profile'] ?? 'not named'})` }
    }
    return {
      status: 'failed',
      detail: 'the engine filters no system calls of its containers',
      hint: 'Use a kernel with seccomp, and an engine whose default profile is not "unconfined".',
    }
  },
}

export const mandatoryAccessProbe: FactProbe = {
  name: 'mandatory-access',
  judge: (facts) => {
    const options = securityOptions(facts)
    const found = ['apparmor', 'selinux'].filter((name) => options.has(name))
    if (found.length > 0) return { status: 'ok', detail: `${found.join(' and ')} confines containers` }
    return {
      status: 'warning',
      detail: 'neither AppArmor nor SELinux confines containers here',
      hint: "Install AppArmor on the engine's host for one more wall; the others hold without it.",
    }
  },
}

/** Where ids are shifted, a file of the workspace does not belong to the user that it seems to belong to. */
export const userNamespaceProbe: FactProbe = {
  name: 'user-namespace',
  judge: (facts) => {
    const options = securityOptions(facts)
    const hint = 'A command can write to a bound workspace only where the shifted user may.'
    if (options.has('rootless')) {
      return { status: 'warning', detail: 'the engine runs without root; users of a container have shifted ids', hint }
    }
    if (options.has('userns')) {
      return { status: 'warning', detail: 'user ids of a container are shifted on the host', hint }
    }
    return { status: 'ok', detail: 'off: user ids of a container are those of the host' }
  },
}

/** `name=seccomp,profile=default` and its like, by name. */
function securityOptions({ info }: EngineFacts): Map<string, Record<string, string>> {
  return new Map(
    info.securityOptions.map((option) => {
      // Engines before 17 write the bare name.
      const fields = option.includes('=') ? option : `name=${option}`
      const values: Record<string, string> = Object.fromEntries(
        fields.split(',').map((field) => {
          const [key = '', ...value] = field.split('=')
          return [key, value.join('=')]
        }),
      )
      return [values['name'] ?? '', values]
    }),
  )
}
