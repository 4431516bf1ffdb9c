import { z } from 'zod'
import type { Procedure } from '../define.ts'
import { Count, Site } from '../scalars.ts'

const table = z.string()
/** Keys after one key and up to another, as JSON arrays of texts. */
const range = { after: z.string(), upto: z.string().nullable() }
export const CopiedRange = z.object({ ...range, digest: z.string().nullable() })
export type CopiedRange = z.infer<typeof CopiedRange>

/** Rows of a site on their way between cells, encrypted for the service that stores them. */
const envelope = z.string()
const publicKey = z.string()
/** A claim that has ended never has an effect again. */
const freeze = z.object({ site: Site, claim: z.string() })
const queue = z.enum(['jobs', 'pending_events'])

/**
 * Procedures of each service that stores data of sites, with which a site moves to another cell. The console of the cell where the move was
 * started calls those of both cells (docs/build/decisions/0072-moving-sites.md).
 */
export const siteCopyProcedures = {
  /**
   * Freezes a site: no change of it is committed afterwards. Idempotent. `changed_meanwhile`: the claim has ended, so this message is
   * late.
   */
  freezeSite: { input: freeze, output: z.object({}), faults: ['changed_meanwhile'], repeatable: true },
  /**
   * Allows changes of a site again, and forgets what was copied to it: what arrives late is rejected. Does nothing if the claim has
   * ended. Idempotent.
   */
  thawSite: { input: freeze, output: z.object({}), faults: [], repeatable: true },
  /** Whether sites can be frozen, and so move: not if the tables are distributed. */
  canFreezeSites: { input: z.object({}), output: z.object({ possible: z.boolean() }), faults: [], repeatable: true },
  isSiteFrozen: {
    input: z.object({ site: Site }),
    output: z.object({ frozen: z.boolean() }),
    faults: [],
    repeatable: true,
  },
  /** Freezes a site that arrives here, and returns the key for its rows, and the tables in the order in which they are copied. */
  beginSiteCopy: {
    input: freeze,
    output: z.object({ public_key: publicKey, tables: z.array(table), queues: z.array(queue) }),
    faults: ['changed_meanwhile'],
    repeatable: true,
  },
  /**
   * The next ranges of a table that arrives here, in the order of their keys. `incomplete`: only those of which rows are missing; the
   * others are equal to what was read.
   */
  listCopyRanges: {
    input: z.object({ site: Site, table, after: z.string(), incomplete: z.boolean().optional() }),
    output: z.object({ ranges: z.array(CopiedRange) }),
    faults: [],
    repeatable: true,
  },
  /** Compares ranges with their digests, in their order, and returns the rows of the first that differs, or of its begin. */
  readSiteRows: {
    input: z.object({ site: Site, table, ranges: z.array(CopiedRange), public_key: publicKey }),
    output: z.object({
      equal: Count,
      part: z.object({ ...range, digest: z.string(), rows: Count, envelope }).nullable(),
    }),
    faults: [],
    repeatable: true,
  },
  /**
   * Makes a range equal to the rows that arrive. `entity_not_found`: no copy of the site is open. `changed_meanwhile`:
   * list the ranges again. `already_exists`: another site of this cell has a value that is unique in the cell, such as an API key.
   */
  storeSiteRows: {
    input: z.object({
      site: Site,
      table,
      range: z.object(range),
      upto: z.string().nullable(),
      digest: z.string(),
      envelope,
    }),
    output: z.object({}),
    faults: ['entity_not_found', 'changed_meanwhile', 'already_exists'],
  },
  /** Work that a frozen site has left, after a position. */
  readSiteQueue: {
    input: z.object({ site: Site, queue, after: z.string(), public_key: publicKey }),
    output: z.object({ envelope, next: z.string().nullable() }),
    faults: [],
    repeatable: true,
  },
  /** Stores work that arrives. `is_first`: what arrived before is replaced. */
  storeSiteQueue: {
    input: z.object({ site: Site, queue, is_first: z.boolean(), envelope }),
    output: z.object({}),
    faults: ['entity_not_found'],
  },
  /** Deletes the work of a frozen site that the other cell does now. */
  deleteSiteQueues: { input: z.object({ site: Site }), output: z.object({}), faults: [], repeatable: true },
} as const satisfies Record<string, Procedure>
