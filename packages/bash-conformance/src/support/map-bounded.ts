/** Maps in order, with at most `atOnce` calls pending. */
export async function mapBounded<Item, Mapped>(
  items: readonly Item[],
  atOnce: number,
  map: (item: Item) => Promise<Mapped>,
): Promise<Mapped[]> {
  const mapped: Mapped[] = []
  const pending = items.entries()
  const worker = async (): Promise<void> => {
    for (const [index, item] of pending) mapped[index] = await map(item)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return mapped
}
