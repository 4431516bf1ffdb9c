import { z } from 'zod'
import { Provider } from '../providers.ts'
import { Identifier, PreciseTimestamp, Slug, Timestamp } from '../scalars.ts'
import { ConsentAnswer } from './consent.ts'

const ofProvider = z.object({ provider: Provider })
const nothing = z.object({})

/**
 * What end users do with their own accounts, as the audit trail names it, with the details of an entry. They are kept for ever, so
 * they have no personal data.
 */
export const endUserActions = {
  linkOwnAccount: ofProvider,
  unlinkOwnAccount: ofProvider,
  endOwnSessions: z.object({ sessions: z.int().positive() }),
  downloadOwnData: nothing,
  removeOwnAccess: z.object({ client_id: z.string() }),
  requestOwnDeletion: z.object({ delete_at: Timestamp }),
  cancelOwnDeletion: nothing,
  /** The answers that differ from earlier ones. */
  answerDocuments: z.object({ answers: z.array(ConsentAnswer) }),
} as const satisfies Record<string, z.ZodObject>

export type EndUserActionName = keyof typeof endUserActions

// `Object.keys` loses the type of the keys.
export const endUserActionNames = Object.keys(endUserActions) as [EndUserActionName, ...EndUserActionName[]]

/** An action of an end user, as the service that stored its effect reports it. */
export const EndUserAction = z.object({
  /** The same whenever the report is repeated. */
  action_id: z.uuid(),
  action: z.enum(endUserActionNames),
  at: PreciseTimestamp,
  account: Slug,
  site_id: Slug,
  identifier: Identifier,
  details: z.record(z.string(), z.unknown()),
  request_id: z.uuid(),
})
export type EndUserAction = z.infer<typeof EndUserAction>

/** An action and its details. */
export type EndUserActionDetails = {
  readonly [A in EndUserActionName]: {
    readonly action: A
    readonly details: z.output<(typeof endUserActions)[A]>
  }
}[EndUserActionName]
