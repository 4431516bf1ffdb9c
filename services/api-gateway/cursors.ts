import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { Count, Fault, Identifier, limits } from '#contracts'

/** The position in a list of `users`, and the filter times fixed at its first page. */
const PagingState = z.object({
  page: Count,
  /** The last identifier of the previous page; absent for the first page. */
  after: Identifier.optional(),
  after_registration: Count.optional(),
  /** Unix times in seconds. */
  created_since: z.int().optional(),
  logged_in_since: z.int().optional(),
})
export type PagingState = z.output<typeof PagingState>

/** The site and the caller's parameters that a cursor is bound to. */
export type CursorOwner = readonly (string | number | undefined)[]

/** Creates and verifies opaque, signed cursors. */
export interface Cursors {
  readonly write: (walk: PagingState, owner: CursorOwner) => string
  /** @throws Fault `invalid_parameter` if the cursor is forged, expired, or belongs to other parameters */
  readonly read: (cursor: string, owner: CursorOwner) => PagingState
}

const Content = PagingState.extend({ expires_at: z.int() })

export function createCursors(key: Buffer, now: () => number = Date.now): Cursors {
  const sign = (content: string, owner: CursorOwner) =>
    createHmac('sha256', key)
      .update(JSON.stringify([owner, content]))
      .digest('base64url')
  const nowSeconds = () => Math.floor(now() / 1_000)

  return {
    write(walk, owner) {
      const content = JSON.stringify({ ...walk, expires_at: nowSeconds() + limits.cursor_seconds })
      return `${Buffer.from(content).toString('base64url')}.${sign(content, owner)}`
    },
    read(cursor, owner) {
      const [encoded = '', signature = '', ...rest] = cursor.split('.')
      const content = Buffer.from(encoded, 'base64url').toString()
      const expected = Buffer.from(sign(content, owner))
      const given = Buffer.from(signature)
      const isOurs = rest.length === 0 && given.length === expected.length && timingSafeEqual(given, expected)
      // Reject other encodings of the same content.
      if (!isOurs || Buffer.from(content).toString('base64url') !== encoded)
        throw new Fault('invalid_parameter', { detail: { reason: 'cursor_invalid', parameter: 'cursor' } })
      const { expires_at, ...walk } = Content.parse(JSON.parse(content))
      if (expires_at <= nowSeconds())
        throw new Fault('invalid_parameter', { detail: { reason: 'cursor_expired', parameter: 'cursor' } })
      return walk
    },
  }
}
