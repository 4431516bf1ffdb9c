import { z } from 'zod'
import {
  type ClaimMapping,
  genderCodes,
  standardAddress,
  standardBirthday,
  standardEmail,
} from '../login-providers/index.ts'
import { ProfileItem, profileFields } from '../profile-items.ts'

/** A JSON Pointer into a provider's claims; `*` stands for each element of a list. */
export const ClaimPointer = z
  .string()
  .regex(/^(\/([^/~]|~[01])*)+$/, 'is no JSON Pointer, e.g. /picture/data/url')
  .max(200)
const Pointers = z.array(ClaimPointer).min(1).max(5)

const TextRule = z.strictObject({
  as: z.literal('text'),
  from: Pointers,
  join: z.enum(['all', 'any']).optional(),
  template: z.string().includes('{}').max(200).optional(),
  unless: ClaimPointer.optional(),
})
const DateRule = z.strictObject({
  as: z.literal('date'),
  from: z.union([ClaimPointer, Pointers]),
  format: z
    .string()
    .regex(
      /^(?=.*YYYY)(?=.*MM)(?=.*DD)(?!.*YYYY.*YYYY)(?!.*MM.*MM)(?!.*DD.*DD)(YYYY|MM|DD|[-/.])+$/,
      'must have YYYY, MM and DD once, e.g. YYYY-MM-DD',
    )
    .max(20),
})
const ListRule = z.strictObject({
  as: z.literal('list'),
  from: Pointers,
  template: z.string().includes('{}').max(200).optional(),
})
const CodeRule = z.strictObject({
  as: z.literal('code'),
  from: ClaimPointer,
  codes: z.record(z.string().max(50), z.int().min(0).max(100)),
  otherwise: z.int().min(0).max(100).optional(),
})
const CountRule = z.strictObject({ as: z.literal('count'), from: ClaimPointer, text: z.literal(true).optional() })
const FlagRule = z.strictObject({ as: z.literal('flag'), from: ClaimPointer, text: z.literal(true).optional() })

const ClaimRule = z.union([
  ClaimPointer,
  z.discriminatedUnion('as', [TextRule, DateRule, ListRule, CodeRule, CountRule, FlagRule]),
])
/** How a claim is read. */
export type RuleKind = Exclude<z.infer<typeof ClaimRule>, string>['as'] | 'pointer'

/** The kinds of rules that fit the type of a profile field. */
function listRuleKinds(field: z.ZodNullable<z.ZodType>): readonly RuleKind[] {
  const type = field.unwrap()
  if (type instanceof z.ZodArray) return ['list']
  if (type instanceof z.ZodBoolean) return ['flag']
  return type instanceof z.ZodNumber ? ['code', 'count'] : ['pointer', 'text', 'date']
}

const ProfileField = ProfileItem.exclude(['follow', 'email', 'phone'])

/** The kinds of rules of each profile field. */
export const ruleKinds: Readonly<Record<z.infer<typeof ProfileField>, readonly RuleKind[]>> = Object.fromEntries(
  ProfileField.options.map((field) => [field, listRuleKinds(profileFields[field])]),
  // Has every field.
) as Record<z.infer<typeof ProfileField>, readonly RuleKind[]>

/** Where in the provider's claims each item is; items without a rule are not read. */
export const ClaimRules = z.strictObject({
  profile: z.partialRecord(ProfileField, ClaimRule).superRefine((rules, context) => {
    for (const [field, rule] of Object.entries(rules)) {
      const kinds = ruleKinds[ProfileField.parse(field)]
      if (rule === undefined || kinds.includes(typeof rule === 'string' ? 'pointer' : rule.as)) continue
      const message = `needs a rule of another kind: ${kinds.join(', ')}`
      context.addIssue({ code: 'custom', path: [field], message })
    }
  }),
  email: z
    .strictObject({
      address: ClaimPointer,
      verified: z.union([ClaimPointer, z.boolean()]),
      list: ClaimPointer.optional(),
      if: ClaimPointer.optional(),
    })
    .optional(),
  phone: z.strictObject({ number: ClaimPointer, type: z.enum(['phone', 'mobile']) }).optional(),
  follow: z.strictObject({ followed_by: ClaimPointer, following: ClaimPointer }).optional(),
  // The check above gives each field the rules of its type, which the type of the schema does not show.
}) as unknown as z.ZodType<ClaimMapping, ClaimMapping>

/** The standard claims (OpenID Connect Core 5.1). */
export const standardClaims: ClaimMapping = {
  profile: {
    full_name: '/name',
    first_name: '/given_name',
    middle_name: '/middle_name',
    last_name: '/family_name',
    user_name: { as: 'text', from: ['/preferred_username', '/nickname'] },
    image_url: '/picture',
    website: { as: 'list', from: ['/website'] },
    uri: { as: 'list', from: ['/profile'] },
    gender: { as: 'code', from: '/gender', codes: genderCodes, otherwise: 3 },
    birthday: standardBirthday,
    ...standardAddress,
  },
  email: standardEmail,
  phone: { number: '/phone_number', type: 'phone' },
}
