import { type DefinitionField, definitionForms } from 'virtual:contract/definition'
import { RequestFault, toFault } from '../../admin/fault.ts'
import type { AdminInput, ProviderSettings } from '../../admin/types.ts'
import {
  type ClaimKey,
  claimKey,
  emptyClaims,
  nameClaimKey,
  profileFieldNames,
  toClaimRules,
  toClaimValues,
} from './claim-values.ts'
import { formatRecord, parseRecord } from './record-text.ts'

type Definition = NonNullable<ProviderSettings['definition']>
type DefinitionInput = NonNullable<AdminInput<'saveProviderSettings'>['definition']>
export type ProtocolType = Definition['protocol']['type']

/** The key of a value of a definition. Both protocols have their own, so that nothing is lost when one looks at the other. */
type ProtocolKey = `${'field' | 'endpoint' | 'scopes'}_${string}`

/** The values of a definition, flat, so that members who change different ones at the same time keep both. */
export interface DefinitionValues {
  name_en: string
  name_ja: string
  protocol: ProtocolType
  /** What the form does not show, as JSON. */
  details: string
  others: Pick<Definition, 'catalog'>
  logo: string
  button: Definition['button']
  [key: ProtocolKey]: string | boolean
  [key: ClaimKey]: string
}

const types = ['oidc', 'oauth2'] as const

export const fieldKey = (type: ProtocolType, name: string) => `field_${type}_${name}` as const
export const endpointKey = (type: ProtocolType, name: string) => `endpoint_${type}_${name}` as const
export const scopesKey = (type: ProtocolType, name: string) => `scopes_${type}_${name}` as const

export const emptyDefinition: DefinitionValues = {
  name_en: '',
  name_ja: '',
  protocol: 'oidc',
  details: '',
  others: {},
  logo: '',
  button: undefined,
  ...toProtocolValues('oidc', {}),
  ...toProtocolValues('oauth2', {}),
  ...emptyClaims,
}

export function toDefinitionValues(definition: ProviderSettings['definition']): DefinitionValues {
  if (definition === null) return emptyDefinition
  const { display_name, protocol, logo = '', button, ...others } = definition
  const { type, claims, endpoints: _, scopes: __, ...settings } = protocol
  const details = Object.entries(settings).filter(([name]) => definitionForms[type].fields[name] === undefined)
  return {
    ...emptyDefinition,
    name_en: display_name.en,
    name_ja: display_name.ja ?? '',
    protocol: type,
    details: details.length === 0 ? '' : JSON.stringify(Object.fromEntries(details), null, 2),
    others,
    logo,
    button,
    ...toProtocolValues(type, protocol),
    ...toClaimValues(claims),
  }
}

/** The values of a protocol's settings; their defaults where it has none. */
function toProtocolValues(type: ProtocolType, protocol: object): Record<ProtocolKey, string | boolean> {
  const { fields, endpoints, scopes } = definitionForms[type]
  const read = (group: string, name: string): unknown => Reflect.get(Object(Reflect.get(protocol, group)), name)
  const values: Record<ProtocolKey, string | boolean> = {}
  for (const [name, field] of Object.entries(fields))
    values[fieldKey(type, name)] = toValue(field, Reflect.get(protocol, name))
  for (const name of endpoints) values[endpointKey(type, name)] = String(read('endpoints', name) ?? '')
  for (const [name, usual] of Object.entries(scopes))
    values[scopesKey(type, name)] = [read('scopes', name) ?? usual].flat().join(' ')
  return values
}

function toValue(field: DefinitionField, stored: unknown): string | boolean {
  if (field.type === 'record') return formatRecord(Object(stored))
  const value = stored ?? field.default
  if (typeof value === 'boolean') return value
  return Array.isArray(value) ? value.join(' ') : String(value)
}

/** The entered definition, as the service takes it. */
export function toDefinition(values: DefinitionValues): DefinitionInput {
  const { name_en, name_ja, protocol: type, others, logo, button } = values
  const { fields, endpoints, scopes } = definitionForms[type]
  const settings = Object.entries(fields).map(([name, field]) => [name, fromValue(field, values[fieldKey(type, name)])])
  const protocol = {
    ...parseObject(values.details),
    ...Object.fromEntries(settings.filter(([, value]) => value !== undefined)),
    endpoints: Object.fromEntries(
      endpoints.flatMap((name) => {
        const address = String(values[endpointKey(type, name)]).trim()
        return address === '' ? [] : [[name, address]]
      }),
    ),
    scopes: Object.fromEntries(Object.keys(scopes).map((name) => [name, splitWords(values[scopesKey(type, name)])])),
    claims: toClaimRules(values),
    type,
  }
  return {
    ...others,
    ...(logo !== '' && { logo }),
    ...(button && { button }),
    display_name: { en: name_en, ...(name_ja.trim() !== '' && { ja: name_ja }) },
    // The service checks it.
    protocol: protocol as DefinitionInput['protocol'],
  }
}

function fromValue(field: DefinitionField, value: string | boolean | undefined): unknown {
  const text = String(value).trim()
  switch (field.type) {
    case 'flag':
      return value === true
    case 'choice':
      // A separator can be a space.
      return String(value)
    case 'number':
      return text === '' ? field.default : Number(text)
    case 'list':
      return splitWords(text)
    case 'record':
      return parseRecord(text)
    case 'text':
      return text === '' ? undefined : text
  }
}

function splitWords(text: string | boolean | undefined): string[] {
  return String(text)
    .split(/[\s,]+/)
    .filter((word) => word !== '')
}

type Validate = (value: unknown, values: DefinitionValues) => string | null

/** Validators for the values that are one `name=value` on each line. */
export function validateRecords(invalid: string): Record<string, Validate> {
  const validate = (text: unknown) => (parseRecord(String(text)) === undefined ? invalid : null)
  const validators: Record<string, Validate> = {}
  for (const type of types)
    for (const [name, { type: kind }] of Object.entries(definitionForms[type].fields))
      if (kind === 'record') validators[fieldKey(type, name)] = validate
  for (const field of profileFieldNames)
    validators[claimKey(field, 'detail')] = (text, values) =>
      values[claimKey(field, 'as')] === 'code' ? validate(text) : null
  return validators
}

/** Names the errors of a definition by the fields of the form. */
export function atDefinitionFields(error: unknown, { protocol }: Pick<DefinitionValues, 'protocol'>): RequestFault {
  const { fault, message, fields, requestId } = toFault(error)
  const named = fields.map((one) => ({ ...one, field: toFormField(one.field, protocol) }))
  return new RequestFault(fault, message, named, requestId)
}

function toFormField(field: string, type: ProtocolType): string {
  if (!field.startsWith('definition')) return field
  const [, part, name = '', ...path] = field.split('.')
  if (part === 'logo' || part === 'button') return part
  if (part === 'display_name') return name === 'ja' ? 'name_ja' : 'name_en'
  const [first = ''] = path
  if (name === 'endpoints') return endpointKey(type, first)
  if (name === 'scopes') return scopesKey(type, first)
  if (name === 'claims') return nameClaimKey(path)
  return name in definitionForms[type].fields ? fieldKey(type, name) : 'details'
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
