import { z } from 'zod'
import type { Procedure } from '../define.ts'
import { HostName, HostPurpose, SiteHosts } from '../objects/site-host.ts'
import { Count, Site, Slug } from '../scalars.ts'

const site = { site: Site, account: Slug, site_id: Slug }

/** The hosts of sites: which exist, and who proves that they are theirs. */
export const hostProcedures = {
  readSiteHosts: { input: z.object(site), output: SiteHosts, faults: [], repeatable: true },
  /**
   * Claims a host for a site. Repeating it changes nothing. `already_exists`: another site has this host, one of its parents or one
   * below it. `invalid_parameter`: the host is reserved, or the site has too many.
   */
  addHost: {
    input: z.object({ ...site, host: HostName, purpose: HostPurpose }),
    output: SiteHosts,
    faults: ['already_exists', 'invalid_parameter'],
    repeatable: true,
  },
  /**
   * Looks for the proof now. `entity_not_found`: the site has not claimed the host; `already_exists`: another site proved it, one of
   * its parents or one below it in the meantime.
   */
  checkHost: {
    input: z.object({ ...site, host: HostName }),
    output: SiteHosts,
    faults: ['entity_not_found', 'already_exists'],
    repeatable: true,
  },
  /** `invalid_parameter`: it is the last login host of a site that is not served on the installation's own host. */
  removeHost: {
    input: z.object({ ...site, host: HostName }),
    output: SiteHosts,
    faults: ['entity_not_found', 'invalid_parameter'],
  },
  /**
   * Sets whether the site is served on the installation's own host. `invalid_parameter`: it has no other login host that is
   * served.
   */
  changeSharedHost: {
    input: z.object({ ...site, shared_host: z.boolean(), expected_revision: Count }),
    output: SiteHosts,
    faults: ['changed_meanwhile', 'invalid_parameter'],
  },
  /** Hosts of the Web API that changed after a revision, oldest change first. `revision` is the newest revision. */
  listApiHosts: {
    input: z.object({ after_revision: Count, limit: z.int().min(1).max(1_000) }),
    output: z.object({
      hosts: z.array(
        z.object({ host: z.string(), site: Site, active: z.boolean(), proof: z.string(), revision: Count }),
      ),
      revision: Count,
    }),
    faults: [],
    repeatable: true,
  },
} as const satisfies Record<string, Procedure>
