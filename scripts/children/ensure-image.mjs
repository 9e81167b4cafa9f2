// Makes the default image on the engine that the environment names. Run by the toolchain's Node.
import { connectEngine, DEFAULT_IMAGE, ensureImage } from 'dsh-container'

await ensureImage(await connectEngine(), { reference: DEFAULT_IMAGE, pull: 'missing' })
