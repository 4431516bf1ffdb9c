import { Fault } from '#contracts'
import { runCommand } from '#database'
import type { IdentityHandlers } from '../deps.ts'
import { needsMapping } from '../domain/mapping.ts'
import { mappingEvent } from '../domain/user-events.ts'
import { findIdentifier, lockUser, updatePrimaryKey } from '../store/users.ts'

export const mapPrimaryKey: IdentityHandlers['mapPrimaryKey'] = async (input, { knex }) => {
  const { site, primary_key, overwrite } = input
  return runCommand(
    knex,
    input,
    async (trx) => {
      const user = await lockUser(trx, input)
      if (user === undefined) throw new Fault('entity_not_found')
      const holder = await findIdentifier(trx, site, primary_key)
      // If two users are mapped to the key at once, the unique index rejects one.
      if (needsMapping(user, { primary_key, overwrite, holder })) {
        const mapping = { primary_key, time: new Date() }
        const event = mappingEvent({ ...user, site, ...mapping }, user.primary_key)
        if (event !== undefined) await updatePrimaryKey(trx, input, mapping, event)
      }
      return {}
    },
    () => ({}),
  )
}
