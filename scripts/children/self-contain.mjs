// self-contain.mjs FOLDER NAME: puts the packages that NAME depends on into its tarball in FOLDER. Run by tests.
import { main } from '../lib/main.mjs'
import { selfContain } from '../lib/self-contained.mjs'

const [folder = '', name = ''] = process.argv.slice(2)

await main(async ({ signal }) => {
  await selfContain(folder, name, signal)
  return 0
})
