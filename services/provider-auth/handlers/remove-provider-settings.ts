import { Fault, isBuiltIn } from '#contracts'
import { transaction } from '#database'
import type { ProviderAuthHandlers } from '../deps.ts'
import { deleteProviderAssociations } from '../store/association-tokens.ts'
import { deleteProviderSettings, lockProviderSettings } from '../store/settings-revisions.ts'
import { isInUse } from '../upstream/providers/is-in-use.ts'

export const removeProviderSettings: ProviderAuthHandlers['removeProviderSettings'] = async (
  { expected_revision, ...name },
  deps,
  call,
) => {
  // Another definition of the same name could give its users to other people.
  const isKept = isBuiltIn(name.provider) || (await isInUse(name, deps, call))
  await transaction(deps.knex, async (trx) => {
    const before = await lockProviderSettings(trx, name)
    if (before === undefined) throw new Fault('entity_not_found')
    if (before.revision !== expected_revision) throw new Fault('changed_meanwhile')
    if (isKept) throw new Fault('already_exists')
    await deleteProviderAssociations(trx, name)
    await deleteProviderSettings(trx, name)
  })
  return {}
}
