const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Why the command is to end: a signal that came to us, or one that would have ended a simpler program. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'
  readonly signal: NodeJS.Signals

  constructor(signal: NodeJS.Signals) {
    super(signal)
    this.signal = signal
  }
}

/**
 * Takes over the signals that ask us to stop, so that what we started is gone before we are.
 *
 * @param onFirst the first of them
 * @param onFurther every later one: whoever sends it does not want to wait
 * @returns gives them back to Node
 */
export function catchInterrupts(onFirst: (reason: Interrupted) => void, onFurther: () => void): () => void {
  let count = 0
  const onSignal = (signal: NodeJS.Signals): void => {
    count += 1
    if (count === 1) onFirst(new Interrupted(signal))
    else onFurther()
  }
  for (const signal of stopSignals) process.on(signal, onSignal)
  return () => {
    for (const signal of stopSignals) process.off(signal, onSignal)
  }
}
