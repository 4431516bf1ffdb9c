import { z } from 'zod'
import { Account, siteSettings } from '../objects/site.ts'
import { Count, Slug, Timestamp } from '../scalars.ts'
import { adminProcedures } from './procedure.ts'

export const SiteName = z.object({ account: Slug, site_id: Slug })

export { ProfileItem, profileItems } from '../objects/profile-items.ts'
export { Account, siteSettings } from '../objects/site.ts'

export const AdminSite = SiteName.extend({ ...siteSettings, created_at: Timestamp, revision: Count })
export type AdminSite = z.infer<typeof AdminSite>

const { name, kind, ...optional } = siteSettings

/** Consequences of allowed addresses that need confirmation: current callers get 403, or a block such as 0.0.0.0/0 allows every address. */
const confirm = z.array(z.enum(['block_callers', 'allow_everybody'])).optional()

/** Only an operator changes what is contracted: the limit and the fixed-address option. */
export const operatorOnlyFields = ['requests_per_window', 'fixed_address_option'] as const

export const adminSiteProcedures = adminProcedures({
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
    input: SiteName.extend({ name, kind, ...z.object(optional).partial().shape, confirm }),
    output: AdminSite,
    faults: { conflict: 'The account already has a site with this site_id, or the allowed addresses need `confirm`.' },
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
    summary: 'Change a site. Omitted fields keep their values',
    role: 'editor',
    // They decide who can call, where browsers can be redirected, and what is deleted permanently.
    sensitive: ['allowed_addresses', 'kind', 'domains', 'profile_not_stored', 'login_history_days'],
    versioned: true,
    input: SiteName.extend({ ...z.object(siteSettings).partial().shape, confirm }),
    output: AdminSite,
    faults: {
      not_allowed: 'Only operators can change the limit and the fixed-address option.',
      conflict:
        'The allowed addresses would block current callers, which the message lists, or allow every address. Send `confirm` to accept that.',
      invalid_request: 'Registered callback addresses conflict with the new kind or domains. `fields` lists them.',
    },
  },
  readProfileClearing: {
    method: 'GET',
    path: '/accounts/{account}/sites/{site_id}/profile-clearing',
    summary: 'Progress of deleting the profile fields that a site no longer stores',
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
    summary: 'Callers of the last seven days that this list would refuse',
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
      refused: z.array(
        z.object({
          address: z.string(),
          calls: Count,
          last_called_at: Timestamp,
          /** False if the current list refuses it too. */
          allowed_now: z.boolean(),
        }),
      ),
    }),
  },
})
