import { ruleKinds, standardClaims } from 'virtual:contract/definition'
import type { ProviderSettings } from '../../admin/types.ts'
import { formatRecord, parseRecord } from './record-text.ts'

type Claims = NonNullable<ProviderSettings['definition']>['protocol']['claims']
export type ProfileField = keyof typeof ruleKinds
type Rule = NonNullable<Claims['profile'][ProfileField]>

/** `claim_<field>_from`, `…_as`, `…_detail` and `…_unless` for each profile field, and parts of the other items. */
export type ClaimKey = `claim_${string}`

export const claimKey = (item: string, part: string) => `claim_${item}_${part}` as const

// The contract has these fields.
export const profileFieldNames = Object.keys(ruleKinds) as readonly ProfileField[]

/** How claims are read: kinds of rules, with the variant that they have. */
export type Conversion =
  | 'text'
  | 'text_all'
  | 'text_any'
  | 'date'
  | 'list'
  | 'code'
  | 'count'
  | 'count_text'
  | 'flag'
  | 'flag_text'

/** The conversions of a profile field; the first one is the usual one. */
export function listConversions(field: ProfileField): readonly Conversion[] {
  return ruleKinds[field].flatMap((kind): Conversion[] => {
    if (kind === 'pointer') return []
    if (kind === 'text') return ['text', 'text_all', 'text_any']
    return kind === 'count' || kind === 'flag' ? [kind, `${kind}_text`] : [kind]
  })
}

/** Parts of the items that are not profile fields, as in the contract. */
export const itemParts = {
  email: ['address', 'verified', 'list', 'if'],
  phone: ['number', 'type'],
  follow: ['followed_by', 'following'],
} as const
type Item = keyof typeof itemParts
const items = Object.keys(itemParts) as readonly Item[]

export const emptyClaims: Record<ClaimKey, string> = toClaimValues(standardClaims)

export function toClaimValues(claims: Claims): Record<ClaimKey, string> {
  return Object.fromEntries([
    ...profileFieldNames.flatMap((field) => {
      const { from, as, detail, unless } = toRow(field, claims.profile[field])
      return Object.entries({ from, as, detail, unless }).map(([part, value]) => [claimKey(field, part), value])
    }),
    ...items.flatMap((item) =>
      itemParts[item].map((part) => [claimKey(item, part), String(Reflect.get(Object(claims[item]), part) ?? '')]),
    ),
  ])
}

interface Row {
  readonly from: string
  readonly as: Conversion
  /** The template, the format, or one `claim=code` on each line. */
  readonly detail: string
  readonly unless: string
}

function toRow(field: ProfileField, rule: Rule | undefined): Row {
  const [usual = 'text'] = listConversions(field)
  const empty = { from: '', as: usual, detail: '', unless: '' }
  if (rule === undefined) return empty
  if (typeof rule === 'string') return { ...empty, from: rule }
  const from = [rule.from].flat().join(' ')
  switch (rule.as) {
    case 'text': {
      const { join, template = '', unless = '' } = rule
      return { from, as: join === undefined ? 'text' : `text_${join}`, detail: template, unless }
    }
    case 'date':
      return { ...empty, from, as: 'date', detail: rule.format }
    case 'list':
      return { ...empty, from, as: 'list', detail: rule.template ?? '' }
    case 'code': {
      const { codes, otherwise } = rule
      const detail = formatRecord({ ...codes, ...(otherwise !== undefined && { '*': otherwise }) })
      return { ...empty, from, as: 'code', detail }
    }
    case 'count':
    case 'flag':
      return { ...empty, from, as: rule.text ? `${rule.as}_text` : rule.as }
  }
}

/** The entered rules, as the service takes them. */
export function toClaimRules(values: Readonly<Record<ClaimKey, string>>): object {
  const part = (item: string, name: string) => (values[claimKey(item, name)] ?? '').trim()
  const rules = profileFieldNames.flatMap((field) => {
    const from = part(field, 'from')
    return from === '' ? [] : [[field, toRule(from, part(field, 'as'), part(field, 'detail'), part(field, 'unless'))]]
  })
  const others = items.flatMap((item) => {
    const entered = itemParts[item].flatMap((name) => {
      const value = part(item, name)
      return value === '' ? [] : [[name, /^(true|false)$/.test(value) ? value === 'true' : value]]
    })
    // A kind of number without a number says nothing.
    return part(item, itemParts[item][0]) === '' ? [] : [[item, Object.fromEntries(entered)]]
  })
  return { profile: Object.fromEntries(rules), ...Object.fromEntries(others) }
}

function toRule(from: string, conversion: string, detail: string, unless: string): unknown {
  const pointers = from.split(/[\s,]+/)
  const [pointer = ''] = pointers
  const [as = '', variant] = conversion.split('_')
  const template = detail === '' ? {} : { template: detail }
  switch (as) {
    case 'text': {
      // A pointer alone cannot choose from a list.
      const isPlain =
        pointers.length === 1 && !pointer.includes('*') && detail === '' && unless === '' && variant === undefined
      if (isPlain) return pointer
      return { as, from: pointers, ...(variant && { join: variant }), ...template, ...(unless !== '' && { unless }) }
    }
    case 'date':
      return { as, from: pointers.length === 1 ? pointer : pointers, format: detail }
    case 'list':
      return { as, from: pointers, ...template }
    case 'code': {
      const { '*': otherwise, ...codes } = parseRecord(detail) ?? {}
      const numbers = Object.entries(codes).map(([claim, code]) => [claim, Number(code)])
      return {
        as,
        from: pointer,
        codes: Object.fromEntries(numbers),
        ...(otherwise !== undefined && { otherwise: Number(otherwise) }),
      }
    }
    default:
      return { as, from: pointer, ...(variant === 'text' && { text: true }) }
  }
}

/** The form's key for a path below `claims`, e.g. `profile.birthday.format`. */
export function nameClaimKey([group = '', name = '', part = '']: readonly string[]): string {
  const item = items.find((one) => one === group)
  if (item !== undefined) return claimKey(item, name === '' ? itemParts[item][0] : name)
  return claimKey(name, ['template', 'format', 'codes', 'otherwise'].includes(part) ? 'detail' : 'from')
}
