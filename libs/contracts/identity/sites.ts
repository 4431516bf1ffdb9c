import { z } from 'zod'
import type { Procedure } from '../define.ts'
import { ExistingSecret } from '../objects/existing-secret.ts'
import { Account, CallbackRules, siteSettings } from '../objects/site.ts'
import { deleteSiteProcedure } from '../objects/site-deletion.ts'
import { Count, Site, Slug, Text, Timestamp } from '../scalars.ts'

/** The data of a site that each gateway holds in memory. */
export const SiteRecord = z.object({
  site: Site,
  account: Slug,
  site_id: Slug,
  requests_per_window: Count,
  /** Empty: every address is allowed. */
  allowed_addresses: z.array(z.string()),
  fixed_address_option: z.boolean(),
  compatibility: siteSettings.compatibility.default([]),
  users_may_be_stale: siteSettings.users_may_be_stale.default(false),
  /**
   * The base URL of the Web API of the cell to which the site moved. Empty: that cell begins to serve it. Absent or null: it is served
   * here.
   */
  moved_to: z.string().nullable().optional(),
  /** Active API keys by their SHA-256, hexadecimal. */
  keys: z.array(z.object({ api_key_id: z.uuid(), key_hash: z.string() })),
  revision: Count,
})
export type SiteRecord = z.infer<typeof SiteRecord>

/** A site with all settings, as the console shows it. */
export const SiteDetails = z.object({
  site: Site,
  account: Slug,
  site_id: Slug,
  ...siteSettings,
  compatibility: siteSettings.compatibility.default([]),
  users_may_be_stale: siteSettings.users_may_be_stale.default(false),
  created_at: Timestamp,
  /** Incremented by each change of these settings, but not by issued or revoked keys. */
  revision: Count,
})
export type SiteDetails = z.infer<typeof SiteDetails>

const { name: siteName, kind: siteKind, ...furtherSettings } = siteSettings

/** Accounts, sites and API keys. */
export const siteProcedures = {
  listAccounts: {
    input: z.object({}),
    output: z.object({ accounts: z.array(Account) }),
    faults: [],
    repeatable: true,
  },
  createAccount: {
    input: Account.pick({ account: true, name: true }),
    output: Account,
    faults: ['already_exists'],
  },
  changeAccount: {
    input: Account.pick({ account: true, name: true }).extend({ expected_revision: Count }),
    output: Account,
    faults: ['entity_not_found', 'changed_meanwhile'],
  },
  /** Sites of an account, ordered by site_id. `entity_not_found`: the account does not exist. */
  listSitesOfAccount: {
    input: z.object({ account: Slug }),
    output: z.object({ sites: z.array(SiteDetails) }),
    faults: ['entity_not_found'],
    repeatable: true,
  },
  /** Sites whose name or site_id contains a text, ordered by name, of some accounts or (null) of all, or among `sites`. */
  findSites: {
    input: z.object({
      q: Text,
      accounts: z.array(Slug).nullable(),
      sites: z.array(z.object({ account: Slug, site_id: Slug })).default([]),
      limit: Count,
    }),
    output: z.object({ sites: z.array(SiteDetails) }),
    faults: [],
    repeatable: true,
  },
  readSite: {
    input: z.object({ account: Slug, site_id: Slug }),
    output: SiteDetails,
    faults: ['entity_not_found'],
    repeatable: true,
  },
  readCompatibility: {
    input: z.object({ site: Site }),
    output: z.object({ compatibility: siteSettings.compatibility }),
    faults: ['entity_not_found'],
    repeatable: true,
  },
  /** `entity_not_found`: the account does not exist. `already_exists`: it has, or had, a site with this site_id. */
  createSite: {
    input: z.object({
      account: Slug,
      site_id: Slug,
      name: siteName,
      kind: siteKind,
      ...z.object(furtherSettings).partial().shape,
    }),
    output: SiteDetails,
    faults: ['entity_not_found', 'already_exists'],
  },
  /** The site's callback rules, with the revision of its settings. */
  readCallbackRules: {
    input: z.object({ site: Site }),
    output: CallbackRules.extend({ revision: Count }),
    faults: ['entity_not_found'],
    repeatable: true,
  },
  /** For development: creates the account and the site unless they exist. `already_exists`: the site was deleted. */
  registerSite: {
    input: z.object({ account: Slug, site_id: Slug, name: Text.min(1).max(100) }),
    output: z.object({ site: Site, created: z.boolean() }),
    faults: ['already_exists'],
    repeatable: true,
  },
  /**
   * Changes the given settings. With `expected_revision`, only if the site has not changed since. Excluded profile fields
   * are deleted in the background. `invalid_parameter`: nothing was changed, because registered callback addresses,
   * which the fault lists, violate the new kind or domains.
   */
  changeSite: {
    input: z.object({
      site: Site,
      expected_revision: Count.optional(),
      ...z.object(siteSettings).partial().shape,
    }),
    output: SiteDetails,
    faults: ['entity_not_found', 'changed_meanwhile', 'invalid_parameter'],
  },
  /** The site's keys, including revoked ones, newest first. */
  listApiKeys: {
    input: z.object({ site: Site }),
    output: z.object({
      keys: z.array(
        z.object({
          api_key_id: z.uuid(),
          name: z.string(),
          last_four: z.string(),
          /** Another service issued it. */
          brought_along: z.boolean(),
          created_at: Timestamp,
          revoked_at: Timestamp.nullable(),
        }),
      ),
    }),
    faults: [],
    repeatable: true,
  },
  /**
   * The key is returned once; only its hash is stored. A site has at most two active keys: `invalid_parameter` for a
   * third.
   */
  issueApiKey: {
    input: z.object({ site: Site, name: Text.min(1).max(100) }),
    output: z.object({ api_key_id: z.uuid(), api_key: z.string() }),
    faults: ['entity_not_found', 'invalid_parameter'],
  },
  /** As `issueApiKey`, with a key that another service issued. `already_exists`: a site has it, or had it. */
  enterApiKey: {
    input: z.object({ site: Site, name: Text.min(1).max(100), api_key: ExistingSecret }),
    output: z.object({ api_key_id: z.uuid() }),
    faults: ['entity_not_found', 'invalid_parameter', 'already_exists'],
  },
  /** Revokes a key permanently. Idempotent. */
  revokeApiKey: {
    input: z.object({ site: Site, api_key_id: z.uuid() }),
    output: z.object({}),
    faults: ['entity_not_found'],
    repeatable: true,
  },
  /**
   * Closes a site: its API keys are invalid and it does not exist for any other procedure of sites. Its site_id can never be used again
   * in its account. Idempotent.
   */
  closeSite: { input: z.object({ site: Site }), output: z.object({}), faults: [], repeatable: true },
  deleteSite: deleteSiteProcedure,
  /** Sites that changed after a revision, oldest change first. `revision` is the newest revision. */
  listSites: {
    input: z.object({ after_revision: Count, limit: z.int().min(1).max(1_000) }),
    output: z.object({ sites: z.array(SiteRecord), revision: Count }),
    faults: [],
    repeatable: true,
  },
} as const satisfies Record<string, Procedure>
