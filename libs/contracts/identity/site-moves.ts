import { z } from 'zod'
import type { Procedure } from '../define.ts'
import { Account } from '../objects/site.ts'
import { siteCopyProcedures } from '../objects/site-copy.ts'
import { Count, Site, Slug } from '../scalars.ts'

/** Base URLs of the cell to which a site moved. */
export const MovedTo = z.object({ web_api_url: z.string(), auth_url: z.string() })
export type MovedTo = z.infer<typeof MovedTo>

/** `arriving`: the site is copied here, and is not served yet; `moved`: another cell serves it. */
export const siteServings = ['here', 'arriving', 'moved'] as const
export type SiteServing = (typeof siteServings)[number]

/** How a site moves to another cell. */
export const siteServingProcedures = {
  ...siteCopyProcedures,
  /**
   * Creates a site that arrives, with its account unless it exists. Idempotent. `already_exists`: the account has, or had, a site with this
   * site_id that does not arrive.
   */
  createArrivingSite: {
    input: z.object({ account: Account.pick({ account: true, name: true }), site_id: Slug }),
    output: z.object({ site: Site }),
    faults: ['already_exists'],
    repeatable: true,
  },
  /** Sets which cell serves a site. Gateways know it within a second. Ignored unless `order` is higher than that of the last change. */
  changeSiteServing: {
    input: z.object({ site: Site, serving: z.enum(siteServings), moved_to: MovedTo.nullable(), order: Count }),
    output: z.object({}),
    faults: [],
    repeatable: true,
  },
  /** Also of a site that is not served here. */
  readSiteServing: {
    input: z.object({ account: Slug, site_id: Slug }),
    output: z.object({ site: Site, serving: z.enum(siteServings), moved_to: MovedTo.nullable() }),
    faults: ['entity_not_found'],
    repeatable: true,
  },
} as const satisfies Record<string, Procedure>
