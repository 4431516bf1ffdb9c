import { isSecretOption, type LoginProvider, loginProviders, optionsSchema } from '#contracts'
import { changesOf } from './changes.ts'
import { asText, type DesiredProvider, type DesiredSite, type SecretReference } from './desired.ts'
import { pathOf, type SiteName } from './site-name.ts'
import type { ActualSite, Plan, PlanOptions, SecretUse, StepOf } from './step.ts'

type ActualProvider = ActualSite['providers'][number]

/** Settings of providers that the files name; the others are left alone, as settings cannot be removed. */
export function planProviders(
  site: SiteName,
  wanted: NonNullable<DesiredSite['providers']>,
  there: ActualSite | undefined,
  options: PlanOptions,
): Plan {
  const parts = loginProviders.map((provider) => {
    const settings = wanted[provider]
    const actual = there?.providers.find((one) => one.provider === provider)
    const nothing: Plan = { steps: [], notes: [] }
    return settings ? planProvider({ ...site, provider }, settings, actual, options) : nothing
  })
  return {
    steps: parts.flatMap(({ steps }) => steps),
    notes: [],
    unsent_secrets: parts.reduce((sum, { unsent_secrets = 0 }) => sum + unsent_secrets, 0),
  }
}

function planProvider(
  name: SiteName & { provider: LoginProvider },
  wanted: DesiredProvider,
  there: ActualProvider | undefined,
  { update_secrets }: PlanOptions,
): Plan {
  const subject = `provider ${name.account}/${name.site_id}/${name.provider}`
  const path = `${pathOf(name)}.providers.${name.provider}`
  const actual = there?.login_provider_identifier === null ? undefined : there
  const { client_secret, options, ...settings } = wanted
  const plain = plainOptions(name.provider, options)
  const before = actual && { ...actual, options: withoutSecrets(actual.options) }
  const changes = changesOf({ ...settings, options: plain }, before)
  const anotherApplication = actual !== undefined && actual.client_id !== wanted.client_id

  const references = [...(client_secret ? [use(['client_secret'], client_secret)] : []), ...secretsIn(options)]
  const secrets = references.flatMap((secret) => {
    const kept = isKept(secret, actual)
    const why = !kept
      ? 'none is kept'
      : anotherApplication
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
    input: { ...kept(before), ...settings, ...name, options: plain ?? before?.options ?? {} },
    ...(there && { revision: there.revision }),
    changes,
    secrets,
  }
  return { steps: [step], notes: [], unsent_secrets: unsentSecrets }
}

function use(path: SecretUse['path'], reference: SecretReference) {
  return { path, reference }
}

function secretsIn(options: DesiredProvider['options'] = {}) {
  return Object.entries(options).flatMap(([option, value]) =>
    typeof value === 'string' ? [] : [use(['options', option], value)],
  )
}

function isKept({ path: [field, option = ''] }: Pick<SecretUse, 'path'>, actual: ActualProvider | undefined): boolean {
  return field === 'client_secret' ? actual?.has_client_secret === true : actual?.options[option] === true
}

/** The options that are no secrets, with those the provider has without being told. */
function plainOptions(
  provider: LoginProvider,
  options: DesiredProvider['options'],
): Record<string, string> | undefined {
  if (options === undefined) return undefined
  const all = Object.entries(optionsSchema(provider).parse(asText(options)))
  return Object.fromEntries(
    all.flatMap(([option, value]) =>
      value === undefined || isSecretOption(provider, option) ? [] : [[option, value]],
    ),
  )
}

function withoutSecrets(options: ActualProvider['options']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(options).flatMap(([option, value]) => (value === true ? [] : [[option, value]])),
  )
}

/** What saving would otherwise set back to what is usual. */
function kept(actual: Pick<ActualProvider, 'official_account' | 'enabled' | 'client_secret_expires_at'> | undefined) {
  if (!actual) return {}
  const { official_account, enabled, client_secret_expires_at } = actual
  return { official_account, enabled, client_secret_expires_at }
}
