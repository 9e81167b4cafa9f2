import type { BashExecSpec, BashRunResult, BashTask, BashTaskId, BashTaskRead } from 'dsh-bash'
import { LocalBashExecutor } from 'dsh-bash-local'
import { type BrokenExecutor } from './broken-executor.ts'

/** Faults in background tasks, and in commands that run beside each other. */
export const brokenTasks: readonly BrokenExecutor[] = [
  {
    fault: 'gives every command the input of the first',
    behaviour: 'many-at-once',
    executor: class extends LocalBashExecutor {
      private firstInput: string | undefined

      override run(spec: BashExecSpec): Promise<BashRunResult> {
        this.firstInput ??= spec.stdin
        return super.run(this.firstInput === undefined ? spec : { ...spec, stdin: this.firstInput })
      }
    },
    rejectedBy: ['gives each of 40 commands its own input, environment, output and exit code'],
  },
  {
    fault: 'lists tasks from the last to the first',
    behaviour: 'tasks',
    executor: class extends LocalBashExecutor {
      override list(): BashTask[] {
        return super.list().toReversed()
      }
    },
    rejectedBy: ['are listed in the order of their start, finished ones too'],
  },
  {
    fault: 'gives the same output again and again',
    behaviour: 'task-output',
    executor: class extends LocalBashExecutor {
      private readonly texts = new Map<BashTaskId, string>()

      override readOutput(id: BashTaskId): BashTaskRead {
        const read = super.readOutput(id)
        const text = (this.texts.get(id) ?? '') + read.delta
        this.texts.set(id, text)
        return { ...read, delta: text }
      }
    },
    rejectedBy: [
      'comes while the task runs, each part once',
      'joins a character whose bytes come in two reads',
      'is not lossy when everything was read in time, and goes on after a lossy read',
      'stays readable after a kill',
    ],
  },
  {
    fault: 'tells of each task twice',
    behaviour: 'listeners',
    executor: class extends LocalBashExecutor {
      protected override notifyTaskDone(task: BashTask): void {
        super.notifyTaskDone(task)
        super.notifyTaskDone(task)
      }
    },
    rejectedBy: [
      'hear of a completed task, once, and before its done resolves',
      'see the task in its final state',
      'hear of killed tasks and of those that could not be spawned',
      'do not hear of foreground commands',
      'that throw are logged and harm neither the task nor the others',
      'are two when the same function is registered twice',
      'end with the scope that registered them, and only they',
    ],
  },
  {
    fault: 'still lists tasks after its disposal',
    behaviour: 'disposal',
    executor: class extends LocalBashExecutor {
      private readonly everListed: BashTask[] = []

      override start(spec: BashExecSpec): BashTask {
        const task = super.start(spec)
        this.everListed.push(task)
        return task
      }

      override list(): BashTask[] {
        return this.everListed
      }
    },
    rejectedBy: ['empties the list'],
  },
]
