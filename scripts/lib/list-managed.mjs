// Prints what carries our label on the engine that the environment names, as JSON: `ManagedObject[]`. Run by the toolchain's Node.
import { connectEngine } from 'dsh-container'

const label = 'bash-docker.managed=true'
const { port } = await connectEngine()
const [containers, volumes, networks] = await Promise.all([
  port.listContainers(label),
  port.listVolumes(label),
  port.listNetworks(label),
])
/** @type {import('./leftovers.mjs').ManagedObject[]} */
const objects = [
  ...containers.map(({ id, name, labels }) => ({ kind: 'container', id, name: name ?? id, labels })),
  ...volumes.map(({ name, labels }) => ({ kind: 'volume', id: name, name, labels })),
  ...networks.map(({ id, name, labels }) => ({ kind: 'network', id, name, labels })),
]
console.log(JSON.stringify(objects))
