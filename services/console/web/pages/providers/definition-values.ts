import { RequestFault, toFault } from '../../admin/fault.ts'
import type { AdminInput, ProviderSettings } from '../../admin/types.ts'

type Definition = NonNullable<ProviderSettings['definition']>
type DefinitionInput = NonNullable<AdminInput<'saveProviderSettings'>['definition']>

/** The fields of a definition: what most providers need, and everything else as JSON. */
export interface DefinitionValues {
  name_en: string
  name_ja: string
  protocol: Definition['protocol']['type']
  issuer: string
  authorization: string
  token: string
  user: string
  details: string
  /** What the form does not show. */
  others: Pick<Definition, 'catalog'>
  logo: string
  button: Definition['button']
}

export const emptyDefinition: DefinitionValues = {
  name_en: '',
  name_ja: '',
  protocol: 'oidc',
  issuer: '',
  authorization: '',
  token: '',
  user: '',
  details: '',
  others: {},
  logo: '',
  button: undefined,
}

export function toDefinitionValues(definition: ProviderSettings['definition']): DefinitionValues {
  if (definition === null) return emptyDefinition
  const { display_name, protocol, logo = '', button, ...others } = definition
  const names = { name_en: display_name.en, name_ja: display_name.ja ?? '', others, logo, button }
  if (protocol.type === 'oidc') {
    const { type, issuer, ...details } = protocol
    return { ...emptyDefinition, ...names, protocol: type, issuer, details: format(details) }
  }
  const { type, endpoints, ...details } = protocol
  const { authorization, token, user, ...further } = endpoints
  const rest = Object.keys(further).length === 0 ? details : { ...details, endpoints: further }
  return { ...emptyDefinition, ...names, protocol: type, authorization, token, user, details: format(rest) }
}

/** The entered definition, as the service takes it. */
export function toDefinition(values: DefinitionValues): DefinitionInput {
  const { name_en, name_ja, protocol: type, issuer, authorization, token, user, others, logo, button } = values
  const details = parseObject(values.details) ?? {}
  const endpoints = Object(Reflect.get(details, 'endpoints'))
  const main =
    type === 'oidc'
      ? { issuer: issuer.trim() }
      : { endpoints: { ...endpoints, authorization: authorization.trim(), token: token.trim(), user: user.trim() } }
  return {
    ...others,
    ...(logo !== '' && { logo }),
    ...(button && { button }),
    display_name: { en: name_en, ...(name_ja.trim() !== '' && { ja: name_ja }) },
    // The service checks it.
    protocol: { ...details, ...main, type } as DefinitionInput['protocol'],
  }
}

/** Names the errors of a definition by the fields of the form. */
export function atDefinitionFields(error: unknown): RequestFault {
  const { fault, message, fields, requestId } = toFault(error)
  const named = fields.map((one) => ({ ...one, field: toFormField(one.field) }))
  return new RequestFault(fault, message, named, requestId)
}

function toFormField(field: string): string {
  if (!field.startsWith('definition')) return field
  const [, part, name = '', address = ''] = field.split('.')
  if (part === 'logo' || part === 'button') return part
  if (part === 'display_name') return name === 'ja' ? 'name_ja' : 'name_en'
  const named = name === 'endpoints' ? address : name
  return ['issuer', 'authorization', 'token', 'user'].includes(named) ? named : 'details'
}

function format(details: object): string {
  return JSON.stringify(details, null, 2)
}

/** The object that a text of JSON is; an empty text is an empty one. */
export function parseObject(text: string): object | undefined {
  if (text.trim() === '') return {}
  try {
    const parsed: unknown = JSON.parse(text)
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? parsed : undefined
  } catch {
    return undefined
  }
}
