import {
  Fault,
  type Input,
  isBuiltIn,
  isBuiltInLoginProvider,
  loginProviderDescriptions,
  type ProviderOptions,
  type providerAuthContract,
  type RejectedField,
} from '#contracts'
import { transaction } from '#database'
import type { Deps, ProviderAuthHandlers } from '../deps.ts'
import { applyDefaults, findRejectedOptions, mergeOptions } from '../domain/settings-validation.ts'
import { deleteProviderAssociations } from '../store/association-tokens.ts'
import { decryptOptions, encryptedSettings } from '../store/provider-settings.ts'
import {
  getOrCreateIdentifier,
  insertProviderSettings,
  lockProviderSettings,
  type SettingsChange,
  updateProviderSettings,
} from '../store/settings-revisions.ts'
import { builtInKey } from '../upstream/providers/index.ts'
import { isInUse } from '../upstream/providers/is-in-use.ts'
import { findRejectedDefinition, resolveDefinition } from '../upstream/providers/resolve-definition.ts'
import { readProviderSettings } from './provider-settings.ts'

export const changeProviderSettings: ProviderAuthHandlers['changeProviderSettings'] = async (input, deps, call) => {
  const { site, provider, expected_revision } = input
  const name = { site, provider }
  const configured = await resolveDefinition(input, deps)
  const rejectedCredentials = [...configured.rejected, ...(await findRejectedCredentials(input, deps))]
  const isUsed = !isBuiltIn(provider) && (await isInUse(name, deps, call))
  const loginProviderIdentifier = await getOrCreateIdentifier(deps.knex, name)
  await transaction(deps.knex, async (trx) => {
    const before = await lockProviderSettings(trx, name)
    if ((before?.revision ?? 0) !== expected_revision) throw new Fault('changed_meanwhile')
    const storedOptions = before === undefined ? {} : await decryptOptions(deps.encryptor, before)
    const described = configured.described ?? {
      definition: before?.definition ?? null,
      endpoints: before?.endpoints ?? null,
    }
    const options = mergeOptions(provider, input.options, storedOptions)
    const rejected = [
      ...rejectedCredentials,
      ...findRejectedOptions(provider, options),
      ...(configured.rejected.length > 0 ? [] : await findRejectedDefinition(trx, name, before, described, isUsed)),
    ]
    const isPublic = described.definition?.protocol.client_authentication === 'none'
    const clientSecret = input.client_secret ?? (before === undefined && isPublic ? '' : undefined)
    if (before === undefined && clientSecret === undefined)
      rejected.push({ field: 'client_secret', reason: 'is required for new settings' })
    if (rejected.length > 0) throw new Fault('invalid_parameter', { fields: rejected })
    const change = {
      ...toRow({ ...input, client_secret: clientSecret }, applyDefaults(provider, options), deps),
      ...described,
    }
    if (before !== undefined) await updateProviderSettings(trx, name, change)
    else if (
      !(await insertProviderSettings(trx, { ...name, login_provider_identifier: loginProviderIdentifier }, change))
    )
      throw new Fault('changed_meanwhile')
    // Tokens that were issued while the settings were enabled must not become valid again.
    if (!input.enabled) await deleteProviderAssociations(trx, name)
  })
  return readProviderSettings(name, deps, call)
}

type Entered = Input<(typeof providerAuthContract.procedures)['changeProviderSettings']>

async function findRejectedCredentials(input: Entered, { findProviderClient }: Deps): Promise<RejectedField[]> {
  const { provider, client_secret, official_account } = input
  const rejected: RejectedField[] = []
  const isValidSecret = findProviderClient(builtInKey(provider))?.isValidSecret
  if (client_secret !== undefined && (await isValidSecret?.(client_secret)) === false)
    rejected.push({
      field: 'client_secret',
      reason: 'must be the private key as downloaded from the provider',
    })
  if (official_account && !(isBuiltInLoginProvider(provider) && loginProviderDescriptions[provider].hasOfficialAccount))
    rejected.push({ field: 'official_account', reason: 'is supported for the messaging provider only' })
  return rejected
}

/** The row, with secrets encrypted. */
function toRow(
  input: Entered,
  options: ProviderOptions,
  { encryptor }: Deps,
): Omit<SettingsChange, 'definition' | 'endpoints'> {
  const { account, site_id, client_id, client_secret, official_account, enabled, client_secret_expires_at } = input
  const encrypt = (value: string, column: string) =>
    encryptor.encrypt(value, encryptedSettings.encryptionContextOf(input, column))
  return {
    account,
    site_id,
    client_id,
    official_account,
    enabled,
    client_secret_expires_at,
    client_secret: client_secret === undefined ? undefined : encrypt(client_secret, 'client_secret'),
    options: encrypt(JSON.stringify(options), 'options'),
  }
}
