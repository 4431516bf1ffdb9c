import { Fault } from '#contracts'
import { noSuchUser } from '../objects/fault-conditions.ts'
import { defineOperation } from '../operation.ts'
import { flag } from '../parameters/flag.ts'
import { userIds } from '../parameters/user-ids.ts'

export const mergeUser = defineOperation({
  name: 'merge_user',
  summary: 'Merges two users: moves the data of the source to the destination and deletes the source.',
  writes: true,
  parameters: {
    source: userIds('source_'),
    destination: userIds('dest_'),
    nomerge: flag('Leaves the destination’s combined profile unchanged.'),
  },
  faults: {
    invalid_parameter: 'Source and destination are the same user.',
    entity_not_found: noSuchUser,
    operation_failed:
      'Both users have an account of the same login provider, and nothing is changed: unlink one first. Or the users are merged, but the profile is updated later, without further requests.',
  },
  response: () => ({}),
  example: () => ({
    query: { source_primary_key: 'customer-1024-old', dest_primary_key: 'customer-1024' },
    response: {},
  }),
  async run({ source: namedSource, destination: namedDestination, nomerge }, { identity }, { site: { site }, call }) {
    const [source, destination] = await awaitBoth([
      identity.resolveUser({ site, ...namedSource }, call).catch(addParameter('source_primary_key')),
      identity.resolveUser({ site, ...namedDestination }, call).catch(addParameter('dest_primary_key')),
    ])
    const users = { source: source.user.identifier, destination: destination.user.identifier }
    if (users.source === users.destination)
      throw new Fault('invalid_parameter', { detail: { reason: 'same_user', parameter: 'dest_identifier' } })
    return identity.mergeUsers({ site, ...users, nomerge }, call)
  },
})

/** Adds the parameter to the error for two IDs of different users. */
function addParameter(parameter: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof Fault) || error.fault !== 'invalid_parameter') throw error
    throw new Fault('invalid_parameter', { cause: error, detail: { reason: 'users_differ', parameter } })
  }
}

/** Awaits both requests. If both fail, an invalid parameter takes precedence over an unknown user. */
async function awaitBoth<T>(requests: readonly [Promise<T>, Promise<T>]): Promise<readonly [T, T]> {
  const settled = await Promise.allSettled(requests)
  const reasons = settled.flatMap((one): unknown[] => (one.status === 'rejected' ? [one.reason] : []))
  const wrong = reasons.find((reason) => reason instanceof Fault && reason.fault === 'invalid_parameter')
  if (wrong !== undefined) throw wrong
  return Promise.all(requests)
}
