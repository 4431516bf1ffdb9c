import type { SiteReference } from '#admin-api'
import { compareProviders, isSecretOption, type LoginProvider, optionsSchema } from '#contracts'
import type { ActualSite } from './actual.ts'
import { listChanges } from './changes.ts'
import { type DesiredProvider, type DesiredSite, replaceSecrets } from './desired.ts'
import type { SecretReference } from './secret-reference.ts'
import { pathOf } from './site-path.ts'
import type { Plan, PlanOptions, SecretUse, StepOf } from './step.ts'

type ActualProvider = ActualSite['providers'][number]

/** Plans the settings of the providers in the files. Other settings stay unchanged, because settings cannot be removed. */
export function planProviders(
  site: SiteReference,
  desired: NonNullable<DesiredSite['providers']>,
  actualSite: ActualSite | undefined,
  options: PlanOptions,
): Plan {
  const parts = Object.entries(desired)
    .sort(([one], [other]) => compareProviders(one, other))
    .map(([provider, settings]) => {
      const actual = actualSite?.providers.find((one) => one.provider === provider)
      return planProvider({ ...site, provider }, settings, actual, options)
    })
  return {
    steps: parts.flatMap(({ steps }) => steps),
    notes: [],
    unsent_secrets: parts.reduce((sum, { unsent_secrets = 0 }) => sum + unsent_secrets, 0),
  }
}

function planProvider(
  name: SiteReference & { provider: LoginProvider },
  desired: DesiredProvider,
  stored: ActualProvider | undefined,
  { update_secrets }: PlanOptions,
): Plan {
  const subject = `provider ${name.account}/${name.site_id}/${name.provider}`
  const path = `${pathOf(name)}.providers.${name.provider}`
  const actual = stored?.login_provider_identifier === null ? undefined : stored
  const { client_secret, options, ...settings } = desired
  const plain = pickPlainOptions(name.provider, options)
  const before = actual && { ...actual, options: omitSecrets(actual.options) }
  const changes = listChanges({ ...settings, options: plain }, before)
  const changesApplication = actual !== undefined && actual.client_id !== desired.client_id

  const references = [
    ...(client_secret ? [createReference(['client_secret'], client_secret)] : []),
    ...listSecretOptions(options),
  ]
  const secrets = references.flatMap((secret) => {
    const isAlreadyStored = isStored(secret, actual)
    const why = !isAlreadyStored
      ? 'none is stored'
      : changesApplication
        ? 'the client_id changes'
        : update_secrets
          ? '--update-secrets'
          : undefined
    return why === undefined ? [] : [{ ...secret, why }]
  })
  const unsent = references.filter(
    ({ path: [first, second] }) => !secrets.some(({ path: sent }) => sent[0] === first && sent[1] === second),
  )
  const unsentSecrets = unsent.length
  if (changes.length === 0 && secrets.length === 0) return { steps: [], notes: [], unsent_secrets: unsentSecrets }

  const step: StepOf<'saveProviderSettings'> = {
    procedure: 'saveProviderSettings',
    kind: actual ? 'change' : 'create',
    subject,
    path,
    input: { ...pickPreserved(before), ...settings, ...name, options: plain ?? before?.options ?? {} },
    ...(stored && { revision: stored.revision }),
    changes,
    secrets,
  }
  return { steps: [step], notes: [], unsent_secrets: unsentSecrets }
}

function createReference(path: SecretUse['path'], reference: SecretReference) {
  return { path, reference }
}

function listSecretOptions(options: DesiredProvider['options'] = {}) {
  return Object.entries(options).flatMap(([option, value]) =>
    typeof value === 'string' ? [] : [createReference(['options', option], value)],
  )
}

function isStored(
  { path: [field, option = ''] }: Pick<SecretUse, 'path'>,
  actual: ActualProvider | undefined,
): boolean {
  return field === 'client_secret' ? actual?.has_client_secret === true : actual?.options[option] === true
}

/** Returns the options that are not secrets, with the provider's defaults. */
function pickPlainOptions(
  provider: LoginProvider,
  options: DesiredProvider['options'],
): Record<string, string> | undefined {
  if (options === undefined) return undefined
  const all = Object.entries(optionsSchema(provider).parse(replaceSecrets(options)))
  return Object.fromEntries(
    all.flatMap(([option, value]) =>
      value === undefined || isSecretOption(provider, option) ? [] : [[option, value]],
    ),
  )
}

function omitSecrets(options: ActualProvider['options']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(options).flatMap(([option, value]) => (value === true ? [] : [[option, value]])),
  )
}

/** Returns the fields that saving would otherwise reset to their defaults. */
function pickPreserved(
  actual: Pick<ActualProvider, 'official_account' | 'enabled' | 'client_secret_expires_at'> | undefined,
) {
  if (!actual) return {}
  const { official_account, enabled, client_secret_expires_at } = actual
  return { official_account, enabled, client_secret_expires_at }
}
