import { isSecretOption, type LoginProvider, optionsSchema, type ProviderOptions, type RejectedField } from '#contracts'

/** What of options is not what the provider needs, by field, for people. */
export function findRejectedOptions(provider: LoginProvider, options: ProviderOptions): RejectedField[] {
  const read = optionsSchema(provider).safeParse(options)
  return (read.error?.issues ?? []).flatMap(({ path, code, message, ...issue }) => {
    if (code === 'unrecognized_keys' && 'keys' in issue)
      return issue.keys.map((name) => ({ field: `options.${name}`, reason: 'is no option of this provider' }))
    const [name] = path
    const reason = typeof name === 'string' && options[name] === undefined ? 'is needed' : message
    return [{ field: ['options', ...path].join('.'), reason }]
  })
}

/** Options in which `refusedOptions` found nothing, with those that have a usual value. */
export function applyDefaults(provider: LoginProvider, options: ProviderOptions): ProviderOptions {
  return optionsSchema(provider).parse(options)
}

/** The options as they may be told: of a secret one only that it is there. */
export function maskSecretOptions(provider: LoginProvider, options: ProviderOptions): Record<string, string | true> {
  const masked = Object.entries(options).flatMap(([name, value]): [string, string | true][] =>
    value === undefined ? [] : [[name, isSecretOption(provider, name) ? true : value]],
  )
  return Object.fromEntries(masked)
}

/** Options as entered, over those that are kept: a secret one that is absent stays, one that is empty is removed. */
export function mergeOptions(
  provider: LoginProvider,
  input: Readonly<Record<string, string>>,
  stored: ProviderOptions,
): Record<string, string> {
  const secrets = Object.entries(stored).filter(([name]) => isSecretOption(provider, name))
  const all = { ...Object.fromEntries(secrets), ...input }
  return Object.fromEntries(Object.entries(all).flatMap(([name, value]) => (value ? [[name, value]] : [])))
}

/** What keeps people from logging in, in words; nothing when all is there. */
export function listMissingSettings(found: {
  readonly provider: LoginProvider
  /** Undefined: not set up. Null: they cannot be opened. */
  readonly options: ProviderOptions | null | undefined
  readonly enabled: boolean
  readonly hasCallback: boolean
}): string[] {
  const { provider, options, enabled, hasCallback } = found
  const missing: string[] = []
  if (options === undefined) missing.push('Enter the client id and the client secret.')
  else if (options === null) missing.push('The stored options cannot be opened. Enter them again.')
  for (const { field, reason } of findRejectedOptions(provider, options ?? {}))
    missing.push(`The option ${field.replace('options.', '')} ${reason}.`)
  if (options !== undefined && !enabled) missing.push('Logging in with this provider is switched off.')
  if (!hasCallback) missing.push('Create a client with a callback address.')
  return missing
}
