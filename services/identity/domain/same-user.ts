import { Fault } from '#contracts'

/**
 * Returns the user if all given IDs belong to the same one.
 *
 * @param found the user of each given ID, undefined for an unknown ID
 * @throws Fault `entity_not_found` if all IDs are unknown; `invalid_parameter` if they belong to different users
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
