import type { Knex } from 'knex'
import type { Handlers } from '#bus'
import type { friendship } from '#contracts'
import { toTimestampOrNull } from '#runtime'
import { type Status, type User, updateToForgotten, upsertStatus } from './statuses.ts'

export interface Deps {
  readonly knex: Knex
  /** Look-ups of one turn of the event loop share one statement. */
  readonly findStatus: (user: User) => Promise<Status | undefined>
}

export const handlers: Handlers<typeof friendship, Deps> = {
  async readStatus(user, { findStatus }) {
    const status = await findStatus(user)
    return {
      friendship_status: status?.friendship_status ?? null,
      friendship_status_updated_at: toTimestampOrNull(status?.friendship_status_updated_at ?? null),
    }
  },

  async recordStatus({ friendship_status, obtained_at, ...user }, { knex }) {
    await upsertStatus(knex, user, { friendship_status, friendship_status_updated_at: new Date(obtained_at) })
    return {}
  },

  async forgetUser(user, { knex }) {
    await updateToForgotten(knex, user)
    return {}
  },
}
