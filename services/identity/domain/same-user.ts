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

type Found = readonly ({ readonly user: { readonly identifier: string } } | undefined)[]

/**
 * Returns the identifiers of two different users.
 *
 * @param found as for `requireSameUser`
 * @throws Fault `invalid_parameter` with the field `source` or `destination` if its IDs belong to different users, before
 * `entity_not_found`, before `invalid_parameter` if both are the same user
 */
export function requireTwoUsers(found: { readonly source: Found; readonly destination: Found }): {
  source: string
  destination: string
} {
  const faults: Fault[] = []
  const identify = (field: 'source' | 'destination') => {
    try {
      return requireSameUser(found[field]).user.identifier
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      const fields = [{ field, reason: 'The IDs belong to different users.' }]
      faults.push(error.fault === 'invalid_parameter' ? new Fault(error.fault, { fields, cause: error }) : error)
      return ''
    }
  }
  const pair = { source: identify('source'), destination: identify('destination') }
  const [first] = faults
  if (first !== undefined) throw faults.find(({ fault }) => fault === 'invalid_parameter') ?? first
  if (pair.source === pair.destination) throw new Fault('invalid_parameter')
  return pair
}
