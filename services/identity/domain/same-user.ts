import { Fault } from '#contracts'

/**
 * The one user that all given ids denote.
 *
 * @param found what each given id denotes, undefined for an id that no user has
 * @throws Fault `entity_not_found` when none of the ids is a user's; `invalid_parameter` when they are not all the same user's
 */
export function requireSameUser<U extends { readonly user: { readonly identifier: string } }>(
  found: readonly (U | undefined)[],
): U {
  const [first] = found
  if (found.every((one) => one === undefined)) throw new Fault('entity_not_found')
  if (first === undefined || found.some((one) => one?.user.identifier !== first.user.identifier))
    throw new Fault('invalid_parameter')
  return first
}
