import { Fault } from '#contracts'
import { noSuchUser } from '../objects/conditions.ts'
import { operation } from '../operation.ts'
import { flag } from '../parameters/flag.ts'
import { oneUser } from '../parameters/one-user.ts'

export const mergeUser = operation({
  name: 'merge_user',
  summary: 'Makes two users one: what the source has goes to the destination, and the source is deleted.',
  writes: true,
  parameters: {
    source: oneUser('source_'),
    destination: oneUser('dest_'),
    nomerge: flag('Leaves the destination’s combined profile as it is.'),
  },
  faults: {
    invalid_parameter: 'Source and destination are the same user.',
    entity_not_found: noSuchUser,
    operation_failed:
      'Both users have an account of one login provider: nothing is changed, unlink one first. Or they are merged, but the profile is rebuilt only later, without further requests.',
  },
  answer: () => ({}),
  example: () => ({
    query: { source_primary_key: 'customer-1024-old', dest_primary_key: 'customer-1024' },
    answer: {},
  }),
  async run({ source: namedSource, destination: namedDestination, nomerge }, { identity }, { site: { site }, call }) {
    const [source, destination] = await bothOf([
      identity.resolveUser({ site, ...namedSource }, call).catch(nameUser('source_primary_key')),
      identity.resolveUser({ site, ...namedDestination }, call).catch(nameUser('dest_primary_key')),
    ])
    const users = { source: source.user.identifier, destination: destination.user.identifier }
    if (users.source === users.destination)
      throw new Fault('invalid_parameter', { detail: { reason: 'same_user', parameter: 'dest_identifier' } })
    return identity.mergeUsers({ site, ...users, nomerge }, call)
  },
})

/** Adds the parameter to the refusal of two ids that are not the same user's. */
function nameUser(parameter: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof Fault) || error.fault !== 'invalid_parameter') throw error
    throw new Fault('invalid_parameter', { cause: error, detail: { reason: 'users_differ', parameter } })
  }
}

/** Both answers. When both are refused, a wrong parameter is told before an unknown user, whoever was refused first. */
async function bothOf<T>(asked: readonly [Promise<T>, Promise<T>]): Promise<readonly [T, T]> {
  const settled = await Promise.allSettled(asked)
  const reasons = settled.flatMap((one): unknown[] => (one.status === 'rejected' ? [one.reason] : []))
  const wrong = reasons.find((reason) => reason instanceof Fault && reason.fault === 'invalid_parameter')
  if (wrong !== undefined) throw wrong
  return Promise.all(asked)
}
