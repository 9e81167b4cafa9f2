declare const brand: unique symbol

type Branded<Base, Name extends string> = Base & { readonly [brand]: Name }

/** Names one background task of one executor: `bash-1`, `bash-2`, … An opaque string. */
export type BashTaskId = Branded<string, 'BashTaskId'>

/** Marks a string as a {@link BashTaskId}. */
export function BashTaskId(id: string): BashTaskId {
  return id as BashTaskId
}

/**
 * Names on whose behalf a command runs. Opaque: an executor places by it and hands it back
 * verbatim, it never grants anything by it. The empty string is a real owner.
 */
export type OwnerToken = Branded<string, 'OwnerToken'>

/** Marks a string as an {@link OwnerToken}. */
export function OwnerToken(token: string): OwnerToken {
  return token as OwnerToken
}
