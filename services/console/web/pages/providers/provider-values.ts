import { configured } from 'virtual:contract/providers'
import type { LoginProvider, ProviderSettings } from '../../admin/types.ts'
import { describeLogin } from '../../parts/describe-provider.ts'
import { type DefinitionValues, toDefinitionValues } from './definition-values.ts'

/** The form's fields: the common ones, and `option_<name>` for each option of the provider. */
export interface ProviderValues extends Record<string, unknown>, DefinitionValues {
  client_id: string
  client_secret: string
  official_account: boolean
  enabled: boolean
  /** A date, `YYYY-MM-DD`. */
  expires: string
  [option: OptionField]: string | string[]
}

type OptionField = `option_${string}`

export function optionField(name: string): OptionField {
  return `option_${name}`
}

/** The field of the Admin API that has the value of an input. */
export function toDocumentedField(path: string): string {
  if (path.startsWith('option_')) return 'options'
  if (path === 'expires') return 'client_secret_expires_at'
  return ['client_id', 'client_secret', 'official_account', 'enabled'].includes(path) ? path : 'definition'
}

export function listOptions(provider: LoginProvider) {
  return (describeLogin(provider) ?? configured).options
}

/** Converts settings to form values. Secrets are never returned: their fields are empty, and empty fields keep the stored secret. */
export function toProviderValues({ options, ...settings }: ProviderSettings): ProviderValues {
  const described = Object.entries(listOptions(settings.provider))
  const fields = described.map(([name, option]): [OptionField, string | string[]] => {
    const stored = options[name]
    const text = typeof stored === 'string' ? stored : option.type === 'choice' ? option.default : ''
    return [optionField(name), option.type === 'list' ? text.split(',').filter(Boolean) : text]
  })
  return {
    ...toDefinitionValues(settings.definition),
    client_id: settings.client_id,
    client_secret: '',
    official_account: settings.official_account,
    enabled: settings.login_provider_identifier === null ? true : settings.enabled,
    expires: settings.client_secret_expires_at?.slice(0, 10) ?? '',
    ...Object.fromEntries(fields),
  }
}

/** Converts form values to the provider's options, without empty ones. */
export function toOptions(provider: LoginProvider, values: ProviderValues): Record<string, string> {
  const names = Object.keys(listOptions(provider))
  const entered = names.map((name): [string, string] => {
    const value = values[optionField(name)] ?? ''
    return [name, typeof value === 'string' ? value.trim() : value.join(',')]
  })
  return Object.fromEntries(entered.filter(([, value]) => value !== ''))
}
