/** One frame of the Engine's multiplexed stream; written here from the Engine's API, not from our code. */
export function frame(type: number, payload: Uint8Array | string): Buffer {
  const bytes = Buffer.from(payload as string)
  const header = Buffer.alloc(8)
  header.writeUInt8(type, 0)
  header.writeUInt32BE(bytes.length, 4)
  return Buffer.concat([header, bytes])
}

export const frameType = { stdin: 0, stdout: 1, stderr: 2, systemError: 3 } as const
