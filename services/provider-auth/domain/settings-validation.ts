import { isSecretOption, type LoginProvider, optionsSchema, type ProviderOptions, type RejectedField } from '#contracts'

/** The invalid options, by field, with reasons for the console. */
export function findRejectedOptions(provider: LoginProvider, options: ProviderOptions): RejectedField[] {
  const read = optionsSchema(provider).safeParse(options)
  return (read.error?.issues ?? []).flatMap(({ path, code, message, ...issue }) => {
    if (code === 'unrecognized_keys' && 'keys' in issue)
      return issue.keys.map((name) => ({ field: `options.${name}`, reason: 'is not an option of this provider' }))
    const [name] = path
    const reason = typeof name === 'string' && options[name] === undefined ? 'is required' : message
    return [{ field: ['options', ...path].join('.'), reason }]
  })
}

/** Adds the default values to options in which `findRejectedOptions` found no error. */
export function applyDefaults(provider: LoginProvider, options: ProviderOptions): ProviderOptions {
  return optionsSchema(provider).parse(options)
}

/** The options for the console; the value of a secret option is replaced with `true`. */
export function maskSecretOptions(provider: LoginProvider, options: ProviderOptions): Record<string, string | true> {
  const masked = Object.entries(options).flatMap(([name, value]): [string, string | true][] =>
    value === undefined ? [] : [[name, isSecretOption(provider, name) ? true : value]],
  )
  return Object.fromEntries(masked)
}

/** Merges entered options with the stored ones: an absent secret stays, an empty one is removed. */
export function mergeOptions(
  provider: LoginProvider,
  input: Readonly<Record<string, string>>,
  stored: ProviderOptions,
): Record<string, string> {
  const secrets = Object.entries(stored).filter(([name]) => isSecretOption(provider, name))
  const all = { ...Object.fromEntries(secrets), ...input }
  return Object.fromEntries(Object.entries(all).flatMap(([name, value]) => (value ? [[name, value]] : [])))
}

/** What is missing before end users can log in, as sentences; empty if nothing is missing. */
export function listMissingSettings(found: {
  readonly provider: LoginProvider
  /** Undefined: not configured. Null: they cannot be decrypted. */
  readonly options: ProviderOptions | null | undefined
  readonly enabled: boolean
  readonly hasCallback: boolean
}): string[] {
  const { provider, options, enabled, hasCallback } = found
  const missing: string[] = []
  if (options === undefined) missing.push('Enter the client ID and the client secret.')
  else if (options === null) missing.push('The stored options cannot be decrypted. Enter them again.')
  for (const { field, reason } of findRejectedOptions(provider, options ?? {}))
    missing.push(`The option ${field.replace('options.', '')} ${reason}.`)
  if (options !== undefined && !enabled) missing.push('Login with this provider is disabled. Enable it.')
  if (!hasCallback) missing.push('Create a client with a redirect URI.')
  return missing
}
