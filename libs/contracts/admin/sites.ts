import { z } from 'zod'
import { Account, siteSettings } from '../objects/site.ts'
import { Count, Slug, Timestamp } from '../scalars.ts'
import { adminProcedures } from './procedure.ts'

export const SiteName = z.object({ account: Slug, site_id: Slug })

export { Account, ProfileItem, profileItems, siteSettings } from '../objects/site.ts'

export const AdminSite = SiteName.extend({ ...siteSettings, created_at: Timestamp, revision: Count })
export type AdminSite = z.infer<typeof AdminSite>

const { name, kind, ...optional } = siteSettings

/** Only an operator changes what is contracted: the limit and the fixed-address option. */
export const operators_alone = ['requests_per_window', 'fixed_address_option'] as const

export const siteProcedures = adminProcedures({
  listAccounts: {
    method: 'GET',
    path: '/accounts',
    summary: 'Accounts that you may see',
    role: 'member',
    input: z.object({}),
    output: z.object({ accounts: z.array(Account) }),
  },
  createAccount: {
    method: 'POST',
    path: '/accounts',
    summary: 'Create an account',
    role: 'operator',
    input: z.object({ account: Slug, name: siteSettings.name }),
    output: Account,
    faults: { conflict: 'There is an account of this name.' },
  },
  readAccount: {
    method: 'GET',
    path: '/accounts/{account}',
    summary: 'An account',
    role: 'viewer',
    versioned: true,
    input: z.object({ account: Slug }),
    output: Account,
  },
  changeAccount: {
    method: 'PATCH',
    path: '/accounts/{account}',
    summary: 'Rename an account',
    role: 'owner',
    versioned: true,
    input: z.object({ account: Slug, name: siteSettings.name }),
    output: Account,
  },
  listSites: {
    method: 'GET',
    path: '/accounts/{account}/sites',
    summary: 'Sites of an account',
    role: 'viewer',
    input: z.object({ account: Slug }),
    output: z.object({ sites: z.array(AdminSite) }),
  },
  createSite: {
    method: 'POST',
    path: '/accounts/{account}/sites',
    summary: 'Create a site',
    role: 'editor',
    input: SiteName.extend({ name, kind, ...z.object(optional).partial().shape }),
    output: AdminSite,
    faults: { conflict: 'The account has a site of this site_id.' },
  },
  readSite: {
    method: 'GET',
    path: '/accounts/{account}/sites/{site_id}',
    summary: 'A site',
    role: 'viewer',
    versioned: true,
    input: SiteName,
    output: AdminSite,
  },
  changeSite: {
    method: 'PATCH',
    path: '/accounts/{account}/sites/{site_id}',
    summary: 'Change a site: what is given is changed, the rest stays',
    role: 'editor',
    versioned: true,
    input: SiteName.extend(z.object(siteSettings).partial().shape),
    output: AdminSite,
    faults: { not_allowed: 'The limit and the fixed-address option are changed by operators.' },
  },
  readProfileClearing: {
    method: 'GET',
    path: '/accounts/{account}/sites/{site_id}/profile-clearing',
    summary: 'How far the deletion of what a site does not store any more has come',
    role: 'viewer',
    input: SiteName,
    output: z.object({
      /** Null: nothing is left to delete. */
      clearing: z.object({ begun_at: Timestamp, users_looked_at: Count }).nullable(),
    }),
  },
  rehearseAllowedAddresses: {
    method: 'POST',
    path: '/accounts/{account}/sites/{site_id}/allowed-addresses/rehearsal',
    summary: 'Who called in the last seven days and would have been refused by this list',
    role: 'viewer',
    reads: true,
    input: SiteName.extend({ allowed_addresses: siteSettings.allowed_addresses }),
    output: z.object({
      /** Your address as it is seen here. */
      your_address: z.string(),
      your_address_allowed: z.boolean(),
      calls: Count,
      /** Of them from addresses that were too many to be kept one by one: whether they would be refused is not known. */
      calls_unknown: Count,
      refused: z.array(z.object({ address: z.string(), calls: Count, last_called_at: Timestamp })),
    }),
  },
})
