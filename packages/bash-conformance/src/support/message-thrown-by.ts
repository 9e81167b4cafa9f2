/** The message of what a call throws or rejects with; undefined when it does neither. */
export async function messageThrownBy(call: () => unknown): Promise<string | undefined> {
  try {
    await call()
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
