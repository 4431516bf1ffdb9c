import { z } from 'zod'
import {
  configuredOptions,
  isBuiltInLoginProvider,
  loginProviderDescriptions,
  type ProviderOption,
} from './login-providers/index.ts'
import type { LoginProvider } from './providers.ts'
import { Text } from './scalars.ts'

export type ProviderOptions = Readonly<Record<string, string | undefined>>

/** The options of a login provider by name. */
function listOptions(provider: LoginProvider): Readonly<Record<string, ProviderOption>> {
  return isBuiltInLoginProvider(provider) ? loginProviderDescriptions[provider].options : configuredOptions
}

/** Checks the options of a site's provider settings and fills in defaults. */
export function optionsSchema(provider: LoginProvider): z.ZodType<ProviderOptions> {
  const options = listOptions(provider)
  const shape = Object.entries(options).map(([name, option]): [string, z.ZodType<string | undefined>] => [
    name,
    optionSchema(option),
  ])
  return z.strictObject(Object.fromEntries(shape))
}

function optionSchema(option: ProviderOption): z.ZodType<string | undefined> {
  switch (option.type) {
    case 'choice':
      return z.enum(option.values).default(option.default)
    case 'list':
      return z
        .string()
        .refine((names) => names.split(',').every((name) => option.values.includes(name)), option.message)
        .optional()
    case 'text': {
      const text = option.format
        ? Text.regex(new RegExp(option.format.pattern), option.format.message)
        : Text.min(1).max(option.maximum)
      return option.required ? text : text.optional()
    }
  }
}

/** Secret options are never returned, only whether they are set. */
export function isSecretOption(provider: LoginProvider, name: string): boolean {
  const option = listOptions(provider)[name]
  return option?.type === 'text' && option.secret === true
}
