// Prints what this project has made on the engine that the environment names, as JSON. Run by the toolchain's Node.
import { connectEngine, listSessions } from 'dsh-container'

console.log(JSON.stringify(await listSessions(await connectEngine())))
