import { z } from 'zod'
import { MovedTo } from '../identity/site-moves.ts'
import { Count, Text, Timestamp } from '../scalars.ts'
import { adminProcedures } from './procedure.ts'
import { SiteReference } from './sites.ts'

/**
 * `copying`: the site is served here, and its data is copied; `freezing`: changes are about to be rejected; `finishing`: the last changes
 * are copied; `switching`: the other cell takes over; `forwarding`: the other cell serves the site; `committing`: its data here is about
 * to be deleted.
 */
export const siteMoveStates = [
  'copying',
  'freezing',
  'finishing',
  'switching',
  'forwarding',
  'committing',
  'committed',
  'canceling',
  'canceled',
  'rolled_back',
] as const
export type SiteMoveState = (typeof siteMoveStates)[number]

/** The services whose data of a site is copied, in their order. */
export const copyingServices = ['identity', 'provider_auth', 'profile', 'friendship', 'events'] as const
export type CopyingService = (typeof copyingServices)[number]

/** What the cell that receives a site records: its copy begins, it is served there, and the first cell serves it again. */
export const receivedSiteEvents = ['started', 'opened', 'returned'] as const
export type ReceivedSiteEvent = (typeof receivedSiteEvents)[number]

/** Why a step failed, by names of `adminReasons`. */
export const failedSteps = [
  'move_step_unavailable',
  'move_step_failed',
  'move_value_taken',
  'move_token_rejected',
] as const
export type FailedStep = (typeof failedSteps)[number]

/** The last move of a site. */
export const SiteMove = z.object({
  state: z.enum(siteMoveStates),
  /** `out`: to the other cell; `back`: the move is rolled back. */
  direction: z.enum(['out', 'back']),
  /** The address of the other cell's console. */
  target_url: z.string(),
  moved_to: MovedTo,
  /** The service and table that are copied at the moment. */
  service: z.enum(copyingServices).nullable(),
  table: z.string().nullable(),
  /** How often all data was compared with the copy, this time included. */
  round: Count,
  /** Rows that were sent, in all rounds. */
  rows_sent: Count,
  /** Parts of tables that differed from the copy: in the last round, and in this one so far. */
  parts_before: Count.nullable(),
  parts_now: Count,
  /** Why the last step failed. It is repeated. */
  error: z.string().nullable(),
  error_reason: z.enum(failedSteps).nullable(),
  requested_by: z.string(),
  /** Who committed the move, canceled it or rolled it back. */
  ended_by: z.string().nullable(),
  requested_at: Timestamp,
  frozen_at: Timestamp.nullable(),
  switched_at: Timestamp.nullable(),
  ended_at: Timestamp.nullable(),
})
export type SiteMove = z.infer<typeof SiteMove>

const move = z.object({ move: SiteMove })
const noMove = 'The site does not move.'
/** An operator token of the other cell. It is stored encrypted until the move ends. */
const TargetToken = Text.regex(/^slt_[\w-]{43}$/)

export const siteMoveProcedures = adminProcedures({
  readSiteMove: {
    method: 'GET',
    path: '/accounts/{account}/sites/{site_id}/move',
    summary: 'The last move of a site to another cell, and its progress',
    role: 'operator',
    input: SiteReference,
    /** Null: the site never moved. */
    output: z.object({ move: SiteMove.nullable() }),
  },
  startSiteMove: {
    method: 'POST',
    path: '/accounts/{account}/sites/{site_id}/move',
    summary:
      'Move a site to another cell: copy it while it is served, switch, and keep the copy here until the move is committed',
    role: 'operator',
    sensitive: true,
    input: SiteReference.extend({
      target_url: z.url({ protocol: /^https?$/ }),
      target_token: TargetToken,
      web_api_url: z.url({ protocol: /^https?$/ }),
      auth_url: z.url({ protocol: /^https?$/ }),
    }),
    output: move,
    faults: {
      invalid_request: 'The other cell cannot be reached with this address and token.',
      conflict:
        'The site moves already, or its deletion is approved, or the other cell has a site with these names, or a database of a cell is distributed.',
    },
  },
  replaceSiteMoveToken: {
    method: 'PUT',
    path: '/accounts/{account}/sites/{site_id}/move/token',
    summary: 'Give a move another token of the other cell, because the first one expired or was revoked',
    role: 'operator',
    sensitive: true,
    input: SiteReference.extend({ target_token: TargetToken }),
    output: move,
    faults: {
      invalid_request: 'The other cell does not accept this token, or cannot be reached.',
      not_found: noMove,
      conflict: 'The move has ended.',
    },
  },
  commitSiteMove: {
    method: 'POST',
    path: '/accounts/{account}/sites/{site_id}/move/commit',
    summary: 'Commit a move: the data of the site here is deleted, and requests are not forwarded any more',
    role: 'operator',
    sensitive: true,
    input: SiteReference,
    output: move,
    faults: { not_found: noMove, conflict: 'The other cell does not serve the site, or the move has ended.' },
  },
  rollBackSiteMove: {
    method: 'POST',
    path: '/accounts/{account}/sites/{site_id}/move/roll-back',
    summary: 'Cancel a move before the switch; after it, copy what changed back and serve the site here again',
    role: 'operator',
    sensitive: true,
    input: SiteReference,
    output: move,
    faults: { not_found: noMove, conflict: 'The cells are switching, or the move has ended.' },
  },
  runSiteCopyStep: {
    method: 'POST',
    path: '/site-copy-steps',
    summary: 'Run a step of a move that another cell started. Only the console of that cell calls it',
    role: 'operator',
    partOf: 'startSiteMove',
    bodyBytes: 1_048_576,
    lossless: true,
    help: { service: 'service that runs the step', procedure: 'name of the step', parameters: 'input of the step' },
    input: z.object({
      service: z.enum(copyingServices),
      procedure: Text.max(64),
      parameters: z.record(z.string(), z.unknown()),
    }),
    output: z.object({ output: z.unknown() }),
    faults: {
      invalid_request: 'The other cell runs another release.',
      not_found: 'No site arrives here with this number.',
      conflict: 'Another site of this cell has a value that is unique in the cell, such as an API key.',
      revision_mismatch: 'The step is late: the move has gone on.',
    },
  },
  recordReceivedSite: {
    method: 'POST',
    path: '/accounts/{account}/sites/{site_id}/received',
    summary:
      'Record in the audit trail how far a move is that another cell started. Only the console of that cell calls it',
    role: 'operator',
    partOf: 'startSiteMove',
    help: {
      move_id: 'ID of the move in the other cell',
      event: 'what happened to the site here',
      source_url: "address of the other cell's console",
      by: 'operator of the other cell who caused it',
    },
    input: SiteReference.extend({
      move_id: z.uuid(),
      event: z.enum(receivedSiteEvents),
      source_url: z.url({ protocol: /^https?$/ }),
      by: Text,
    }),
    output: z.object({}),
  },
})
