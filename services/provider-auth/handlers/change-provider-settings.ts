import type { Handler } from '#bus'
import {
  Fault,
  type Input,
  loginProviderDescriptions,
  type ProviderOptions,
  type providerAuth,
  type RejectedField,
} from '#contracts'
import { transaction } from '#database'
import type { Deps } from '../deps.ts'
import { enteredOptions, refusedOptions, withDefaults } from '../domain/settings-completeness.ts'
import { deleteAssociationsWith } from '../store/association-tokens.ts'
import { encryptedSettings, openOptions } from '../store/provider-settings.ts'
import { identifierOf, insertSettings, lockSettings, updateSettings } from '../store/settings-revisions.ts'
import { readProviderSettings } from './read-provider-settings.ts'

type Procedure = (typeof providerAuth.procedures)['changeProviderSettings']

export const changeProviderSettings: Handler<Procedure, Deps> = async (input, deps, call) => {
  const { site, provider, expected_revision } = input
  const name = { site, provider }
  const unacceptable = await refusedSecret(input, deps)
  const loginProviderIdentifier = await identifierOf(deps.knex, name)
  await transaction(deps.knex, async (trx) => {
    const before = await lockSettings(trx, name)
    if ((before?.revision ?? 0) !== expected_revision) throw new Fault('changed_meanwhile')
    const kept = before === undefined ? {} : await openOptions(deps.encryptor, before)
    const options = enteredOptions(provider, input.options, kept)
    const about = [...unacceptable, ...refusedOptions(provider, options)]
    if (before === undefined && input.client_secret === undefined)
      about.push({ field: 'client_secret', reason: 'is needed the first time' })
    if (about.length > 0) throw new Fault('invalid_parameter', { fields: about })
    const change = toRow(input, withDefaults(provider, options), deps)
    if (before !== undefined) await updateSettings(trx, name, change)
    else if (!(await insertSettings(trx, { ...name, login_provider_identifier: loginProviderIdentifier }, change)))
      throw new Fault('changed_meanwhile')
    // What was issued while they were enabled must not come back with them.
    if (!input.enabled) await deleteAssociationsWith(trx, name)
  })
  return readProviderSettings(name, deps, call)
}

type Entered = Input<Procedure>

async function refusedSecret(entered: Entered, { findLoginProvider }: Deps): Promise<RejectedField[]> {
  const { provider, client_secret, official_account } = entered
  const refused: RejectedField[] = []
  const accepts = findLoginProvider(provider)?.acceptsSecret
  if (client_secret !== undefined && (await accepts?.(client_secret)) === false)
    refused.push({
      field: 'client_secret',
      reason: 'is not the private key that this provider needs, as it was downloaded',
    })
  if (official_account && !loginProviderDescriptions[provider].hasOfficialAccount)
    refused.push({ field: 'official_account', reason: 'is for the messaging provider only' })
  return refused
}

/** The row, with what is secret encrypted. */
function toRow(entered: Entered, options: ProviderOptions, { encryptor }: Deps) {
  const { account, site_id, client_id, client_secret, official_account, enabled, client_secret_expires_at } = entered
  const encrypt = (value: string, column: string) =>
    encryptor.encrypt(value, encryptedSettings.placeOf(entered, column))
  return {
    ...{ account, site_id, client_id, official_account, enabled, client_secret_expires_at },
    client_secret: client_secret === undefined ? undefined : encrypt(client_secret, 'client_secret'),
    options: encrypt(JSON.stringify(options), 'options'),
  }
}
