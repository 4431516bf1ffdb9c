import { z } from 'zod'
import { limits } from '../limits.ts'
import { Account, siteSettings } from '../objects/site.ts'
import { Count, Slug, Text, Timestamp } from '../scalars.ts'
import { adminProcedures } from './procedure.ts'

/** Identifies a site. */
export const SiteReference = z.object({ account: Slug, site_id: Slug })
export type SiteReference = z.infer<typeof SiteReference>

export { Account, siteSettings } from '../objects/site.ts'
export { ProfileItem, profileItems } from '../profile-items.ts'

export const AdminSite = SiteReference.extend({ ...siteSettings, created_at: Timestamp, revision: Count })
export type AdminSite = z.infer<typeof AdminSite>

const { name, kind, ...optional } = siteSettings

/** Consequences of allowed addresses that require confirmation: current callers get 403, or a block such as 0.0.0.0/0 allows every address. */
const confirm = z.array(z.enum(['block_callers', 'allow_all_addresses'])).optional()

/** Fields that only operators can change. */
export const operatorOnlyFields = ['requests_per_window', 'fixed_address_option'] as const

export const adminSiteProcedures = adminProcedures({
  listAccounts: {
    method: 'GET',
    path: '/accounts',
    summary: 'Accounts that you have access to',
    role: 'member',
    input: z.object({}),
    output: z.object({ accounts: z.array(Account) }),
  },
  createAccount: {
    method: 'POST',
    path: '/accounts',
    summary: 'Create an account',
    role: 'operator',
    form: 'account',
    input: z.object({ account: Slug, name: siteSettings.name }),
    output: Account,
    faults: { conflict: 'An account with this name exists already.' },
  },
  readAccount: {
    method: 'GET',
    path: '/accounts/{account}',
    summary: 'An account',
    role: 'viewer',
    limitedToSites: true,
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
    summary: 'Sites of an account that you have a role in',
    role: 'viewer',
    limitedToSites: true,
    input: z.object({ account: Slug }),
    output: z.object({ sites: z.array(AdminSite) }),
  },
  findSites: {
    method: 'GET',
    path: '/sites/search',
    summary: `Sites of all accounts that you have access to whose name or site_id contains a text, at most ${limits.found_sites}`,
    role: 'member',
    input: z.object({ q: Text.trim().min(1).max(100) }),
    output: z.object({ sites: z.array(AdminSite) }),
  },
  createSite: {
    method: 'POST',
    path: '/accounts/{account}/sites',
    summary: 'Create a site',
    role: 'editor',
    form: 'site',
    input: SiteReference.extend({ name, kind, ...z.object(optional).partial().shape, confirm }),
    output: AdminSite,
    faults: { conflict: 'The account already has a site with this site_id, or the allowed addresses need `confirm`.' },
  },
  readSite: {
    method: 'GET',
    path: '/accounts/{account}/sites/{site_id}',
    summary: 'A site',
    role: 'viewer',
    versioned: true,
    input: SiteReference,
    output: AdminSite,
  },
  changeSite: {
    method: 'PATCH',
    path: '/accounts/{account}/sites/{site_id}',
    summary: 'Change a site. Omitted fields keep their values',
    role: 'editor',
    // They decide who can call, where browsers can be redirected, what is deleted permanently, and whether profiles leave with events.
    sensitive: [
      'allowed_addresses',
      'kind',
      'domains',
      'profile_not_stored',
      'login_history_days',
      'profile_in_events',
    ],
    versioned: true,
    input: SiteReference.extend({ ...z.object(siteSettings).partial().shape, confirm }),
    output: AdminSite,
    faults: {
      not_allowed: 'Only operators can change the limit and the fixed-address option.',
      conflict:
        'The allowed addresses would block current callers, which the message lists, or allow every address. Send `confirm` to accept that.',
      invalid_request: 'Registered redirect URIs conflict with the new kind or domains. `fields` lists them.',
    },
  },
  readFieldDeletion: {
    method: 'GET',
    path: '/accounts/{account}/sites/{site_id}/field-deletion',
    summary: 'Progress of deleting the profile fields that a site no longer stores',
    role: 'viewer',
    input: SiteReference,
    output: z.object({
      /** Null: no deletion is in progress. */
      deletion: z.object({ started_at: Timestamp, users_checked: Count }).nullable(),
    }),
  },
  previewAllowedAddresses: {
    method: 'POST',
    path: '/accounts/{account}/sites/{site_id}/allowed-addresses/preview',
    summary: 'Preview of a list of allowed addresses: callers of the last seven days that it would block',
    role: 'viewer',
    readOnly: true,
    input: SiteReference.extend({ allowed_addresses: siteSettings.allowed_addresses }),
    output: z.object({
      /** Your address, as the console sees it. */
      your_address: z.string(),
      your_address_allowed: z.boolean(),
      calls: Count,
      /** Calls from addresses that were not stored individually because there were too many. Whether they would be blocked is unknown. */
      unattributed_calls: Count,
      blocked: z.array(
        z.object({
          address: z.string(),
          calls: Count,
          last_called_at: Timestamp,
          /** False: the current list blocks the address, too. */
          allowed_now: z.boolean(),
        }),
      ),
    }),
  },
})
