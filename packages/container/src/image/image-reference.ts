import { SandboxError } from 'dsh-bash-error'

/** An image reference, taken apart and normalised as the Docker client does it. */
export interface ImageReference {
  /** `docker.io` when none is named. */
  readonly registry: string
  /** With `library/` for the official images of Docker's registry. */
  readonly repository: string
  /** Absent when there is a digest and no tag; `latest` when there is neither. */
  readonly tag?: string
  /** Such as `sha256:…`. */
  readonly digest?: string
}

// The grammar of github.com/distribution/reference, which every engine uses.
const pathComponent = /^[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*$/
const registryName =
  /^(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?)(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?)*(?::\d+)?$|^\[[0-9a-fA-F:]+\](?::\d+)?$/
const tagName = /^\w[\w.-]{0,127}$/
const digestName = /^[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}$/

const maxRepositoryLength = 255
const defaultRegistry = 'docker.io'

/** @throws `IMAGE_REFERENCE_INVALID` */
export function parseImageReference(text: string): ImageReference {
  const invalid = (): SandboxError =>
    new SandboxError('IMAGE_REFERENCE_INVALID', `not an image reference: ${JSON.stringify(text)}`, {
      context: { reference: text },
    })
  const [named = '', digest, ...more] = text.split('@')
  if (more.length > 0 || (digest !== undefined && !digestName.test(digest))) throw invalid()
  // A colon after the last slash begins a tag; one before it, a registry's port.
  const tagAt = named.indexOf(':', named.lastIndexOf('/') + 1)
  const name = tagAt < 0 ? named : named.slice(0, tagAt)
  const tag = tagAt < 0 ? undefined : named.slice(tagAt + 1)
  if (tag !== undefined && !tagName.test(tag)) throw invalid()
  const { registry, path } = splitRegistry(name)
  if (registry !== undefined && !registryName.test(registry)) throw invalid()
  if (path.length > maxRepositoryLength || !path.split('/').every((part) => pathComponent.test(part))) throw invalid()
  const isOfficial = (registry === undefined || registry === defaultRegistry) && !path.includes('/')
  const chosenTag = tag ?? (digest === undefined ? 'latest' : undefined)
  return {
    registry: registry ?? defaultRegistry,
    repository: isOfficial ? `library/${path}` : path,
    ...(chosenTag === undefined ? {} : { tag: chosenTag }),
    ...(digest === undefined ? {} : { digest }),
  }
}

/** The name that the engine's API takes beside a tag or digest. */
export function repositoryName({ registry, repository }: ImageReference): string {
  return registry === defaultRegistry ? repository.replace(/^library\//, '') : `${registry}/${repository}`
}

/** The first component is a registry when it could be no part of a path: it has a dot or a port, or is `localhost`. */
function splitRegistry(name: string): { registry?: string; path: string } {
  const slash = name.indexOf('/')
  const first = name.slice(0, slash)
  if (slash < 0 || !(/[.:]/.test(first) || first === 'localhost' || first !== first.toLowerCase()))
    return { path: name }
  return { registry: first, path: name.slice(slash + 1) }
}
