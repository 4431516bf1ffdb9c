import { describe, expect, test } from 'vitest'
import { readMember, readName } from './member-claims.ts'

const base = { trust_email: false, domains: ['company.example'], default_role: null }
const rules = [
  { value: 'admins', role: 'owner', site_id: null },
  { value: 'staff', role: 'viewer', site_id: null },
  { value: 'shop-editors', role: 'editor', site_id: 'shop' },
  { value: 'shop-owners', role: 'owner', site_id: 'shop' },
] as const
const entra = {
  ...base,
  issuer: 'https://login.microsoftonline.com/7c1c/v2.0',
  role_claim: 'groups',
  role_rules: rules,
}
const google = { ...base, issuer: 'https://accounts.google.com', role_claim: null, role_rules: [] }
const email = { email: 'ada@company.example', email_verified: true }

describe('claims of Entra ID', () => {
  const claims = { email: 'ada@company.example', groups: ['admins'], tid: '7c1c' }

  test('state that the address is verified with xms_edov, which no other provider can', () => {
    expect(readMember(claims, entra).problem?.name).toBe('sign_in_email_unverified')
    for (const xmsEdov of [true, '1', 1]) expect(readMember({ ...claims, xms_edov: xmsEdov }, entra).problem).toBeNull()
    expect(readMember({ ...claims, xms_edov: false }, entra).problem?.name).toBe('sign_in_email_unverified')
    const other = { ...entra, issuer: 'https://idp.example' }
    expect(readMember({ ...claims, xms_edov: true }, other).problem?.name).toBe('sign_in_email_unverified')
  })

  test.each([
    ['a reference to the groups', { _claim_names: { groups: 'src1' } }],
    ['the flag of the implicit flow', { hasgroups: true }],
  ])('with too many groups (%s) give no default role', (_, overage) => {
    const settings = { ...entra, default_role: 'viewer' } as const
    expect(readMember({ ...email, ...overage }, settings).problem?.name).toBe('sign_in_groups_overage')
  })
})

describe('claims of Google', () => {
  const settings = { ...google, default_role: 'viewer' } as const

  test('must belong to the Google Workspace of the domain: a private account can have a verified address of the company', () => {
    expect(readMember(email, settings).problem?.name).toBe('sign_in_hosted_domain')
    expect(readMember({ ...email, hd: 'evil.example' }, settings).problem?.name).toBe('sign_in_hosted_domain')
    expect(readMember({ ...email, hd: 'company.example' }, settings)).toMatchObject({ role: 'viewer', problem: null })
  })

  test('also if e-mail addresses are trusted', () => {
    expect(readMember(email, { ...settings, trust_email: true }).problem?.name).toBe('sign_in_hosted_domain')
  })
})

describe('roles', () => {
  const okta = { ...entra, issuer: 'https://company.okta.com' }
  const rolesOf = (groups: unknown, settings: object = {}) => readMember({ ...email, groups }, { ...okta, ...settings })

  test('are the highest of the matching rules, in the account and in each site', () => {
    expect(rolesOf(['staff', 'admins', 'other'])).toMatchObject({ role: 'owner', site_roles: {}, problem: null })
    expect(rolesOf(['shop-owners', 'shop-editors'])).toMatchObject({ role: null, site_roles: { shop: 'owner' } })
    expect(rolesOf(['staff', 'shop-editors'])).toMatchObject({ role: 'viewer', site_roles: { shop: 'editor' } })
    expect(rolesOf('admins')).toMatchObject({ role: 'owner' })
  })

  test('fall back to the default role without a matching rule or without the claim, but not for a claim of another type', () => {
    expect(rolesOf(['other'], { default_role: 'viewer' })).toMatchObject({ role: 'viewer', problem: null })
    expect(rolesOf(undefined, { default_role: 'viewer' })).toMatchObject({ role: 'viewer', problem: null })
    expect(rolesOf({ admins: true }, { default_role: 'viewer' }).problem?.name).toBe('sign_in_claim_type')
  })

  test('are found by a name with dots before a path, and never in inherited properties', () => {
    const claims = { ...email, 'https://company.example/roles': ['admins'] }
    expect(readMember(claims, { ...okta, role_claim: 'https://company.example/roles' })).toMatchObject({
      role: 'owner',
    })
    const inherited = readMember(email, { ...okta, role_claim: 'constructor.name' })
    expect(inherited.problem?.name).toBe('sign_in_claim_missing')
  })
})

test.each([
  'ada@company.example.evil.example',
  'ada@evil.example/@company.example/',
  'ada@company.example#@evil.example',
  '@company.example',
  'ada@sub.company.example',
])('the address %s is not in the domain', (address) => {
  const problem = readMember({ email: address, email_verified: true, groups: ['admins'] }, entra).problem?.name
  expect(['sign_in_domain_differs', 'sign_in_email_missing']).toContain(problem)
})

test('a domain is compared as host names are', () => {
  const claims = { email: 'ada@Company.EXAMPLE', email_verified: true, groups: ['admins'] }
  expect(readMember(claims, entra).problem).toBeNull()
})

test('names have no characters that make one look like another', () => {
  expect(readName({ name: 'Ada\u202e\u0000 Lovelace', sub: 's' })).toBe('Ada Lovelace')
  expect(readName({ name: ' ', sub: 's' })).toBe('s')
})
