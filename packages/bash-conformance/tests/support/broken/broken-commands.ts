import type { BashExecSpec, BashRunResult } from 'dsh-bash'
import { LocalBashExecutor } from 'dsh-bash-local'
import { type BrokenExecutor, prefixed, withOutput, withResult, withSpec } from './broken-executor.ts'

/** Faults in what a command is given, and in what it says. */
export const brokenCommands: readonly BrokenExecutor[] = [
  {
    fault: 'does not cap the timeout',
    behaviour: 'resolve',
    executor: class extends LocalBashExecutor {
      override resolve(request: Parameters<LocalBashExecutor['resolve']>[0]): BashExecSpec {
        const spec = super.resolve(request)
        return { ...spec, timeoutMs: request.timeoutMs ?? spec.timeoutMs }
      }
    },
    rejectedBy: [
      'takes the timeout of the request, else the configured one, and caps it',
      'defaults to 120 s and caps at 600 s',
    ],
  },
  {
    fault: 'runs a blank command as one that does nothing',
    behaviour: 'bad-input',
    executor: withSpec((spec) => (spec.command.trim() === '' ? { ...spec, command: ':' } : spec)),
    rejectedBy: ['a blank command'],
  },
  {
    fault: 'gives optional facts as undefined',
    behaviour: 'result-shape',
    executor: withResult((result) => ({ ...result, cause: undefined }) as unknown as BashRunResult),
    rejectedBy: ['has no optional fact with the value undefined'],
  },
  {
    fault: 'keeps seven bits of an exit code',
    behaviour: 'exit-codes',
    executor: withResult((result) => ({
      ...result,
      exitCode: result.exitCode === null ? null : result.exitCode & 127,
    })),
    rejectedBy: ['reports each of the 256 exit codes', 'takes no exit code above 128 for a signal'],
  },
  {
    fault: 'reports a death by signal as 128 + n although it claims exact signals',
    behaviour: 'signals',
    executor: withResult((result) =>
      result.signal === 'SIGTERM' ? { ...result, exitCode: 143, signal: null } : result,
    ),
    rejectedBy: [
      'reports the signal that ended a command, or 128 + n where that is disclaimed',
      'tells death by a signal from an exit with 128 + n exactly when exact signals are claimed',
    ],
  },
  {
    fault: 'trims output',
    behaviour: 'bytes',
    executor: withOutput((output) => ({ ...output, text: output.text.trim() })),
    rejectedBy: ['adds no newline and takes none away', 'keeps a byte order mark', 'keeps the two streams apart'],
  },
  {
    fault: 'adds a newline to standard input',
    behaviour: 'stdin',
    executor: withSpec((spec) => (spec.stdin === undefined ? spec : { ...spec, stdin: `${spec.stdin}\n` })),
    rejectedBy: [
      'is no device and has no bytes when it is the empty string',
      'arrives byte for byte, without a newline of ours, and ends',
      'carries NUL and control characters',
      'is read by a background task too',
      'passes 50 MiB in and out again unchanged',
    ],
  },
  {
    fault: 'joins the two streams',
    behaviour: 'stdio',
    executor: prefixed('exec 2>&1\n'),
    rejectedBy: ['may be duplicated and crossed'],
  },
  {
    fault: 'drops credential-shaped variables of a trusted caller',
    behaviour: 'environment',
    executor: withSpec((spec) => {
      if (spec.env === undefined) return spec
      const kept = Object.entries(spec.env).filter(([name]) => !/key|secret|token|password/i.test(name))
      return { ...spec, env: Object.fromEntries(kept) }
    }),
    rejectedBy: ['honours the trusted environment whatever its names look like'],
  },
  {
    fault: 'passes a hundred variables at most',
    behaviour: 'environment-limits',
    executor: withSpec((spec) =>
      spec.env === undefined ? spec : { ...spec, env: Object.fromEntries(Object.entries(spec.env).slice(0, 100)) },
    ),
    rejectedBy: ['passes many variables, and refuses one more than the manifest allows'],
  },
  {
    fault: 'writes the environment into the command',
    behaviour: 'confidentiality',
    executor: withSpec((spec) => {
      const assignments = Object.entries(spec.env ?? {}).map(([name, value]) => `export ${name}='${value}'\n`)
      return { ...spec, command: assignments.join('') + spec.command }
    }),
    rejectedBy: ['neither a variable nor standard input stands among the arguments of any process'],
  },
  {
    fault: 'runs in the root directory when the workdir is missing',
    behaviour: 'workdir',
    executor: withSpec((spec) => (spec.workdir.includes('missing') ? { ...spec, workdir: '/' } : spec)),
    rejectedBy: ['that does not exist is refused with ENOENT, and nothing runs'],
  },
  {
    fault: 'traces commands',
    behaviour: 'shell',
    executor: prefixed('set -x\n'),
    rejectedBy: ['is bash, not in its POSIX mode, neither login nor interactive'],
  },
]
