import { z } from 'zod'
import { Count, Fault, Identifier, limits } from '#contracts'
import type { PagingState } from '../cursors.ts'
import { exampleIdentifier } from '../objects/examples.ts'
import { defineOperation } from '../operation.ts'
import { integer } from '../parameters/integer.ts'
import { Period } from '../parameters/period.ts'
import { optional } from '../parameters/text.ts'

export const users = defineOperation({
  name: 'users',
  title: 'List users',
  group: 'users',
  summary: 'Lists the identifiers of the service’s users, page by page.',
  writes: false,
  mayBeStale: true,
  parameters: {
    page: optional(integer({ from: 0, to: 999_999_999 }), 'Page number; the first page is 0.'),
    cursor: optional(z.string(), 'Opaque; part of `next_uri`. Replaces `page`.'),
    limit: optional(integer({ from: 1, to: limits.users_maximum }), 'Users per page. Default: 20.'),
    last_login_within: optional(Period, 'Only users who logged in within this period, such as `30d`.'),
    created_within: optional(Period, 'Only users created within this period, such as `12h`.'),
    mapped: optional(z.enum(['mapped_only', 'not_mapped_only']), 'Only users with, or without, a customer-side ID.'),
  },
  faults: {
    invalid_parameter:
      '`cursor` was modified, has expired, or was sent with `page` or with other parameters than before.',
  },
  response: () => ({
    users: z.array(Identifier),
    total: Count,
    size: Count,
    next_page: Count.optional(),
    next_uri: z.string().max(2_083).optional(),
  }),
  example: () => ({
    query: { limit: '2', created_within: '30d' },
    response: {
      users: [exampleIdentifier, '6a1f3c21d2707c4f5e6b18a903fd27c5be4419d0'],
      total: 4021,
      size: 2,
      next_page: 1,
      next_uri: 'https://api.example.com/api/users?limit=2&created_within=30d&cursor=eyJwYWdlIjoxfQ.Xk3v',
    },
  }),
  async run({ page, cursor, ...filter }, { identity, cursors }, { site: { site }, call, baseUrl, keyInQuery }) {
    if (page !== undefined && cursor !== undefined)
      throw new Fault('invalid_parameter', { detail: { reason: 'cursor_with_page', parameter: 'cursor' } })
    const ownParameters = toQueryParameters(filter)
    const owner = [
      site,
      ownParameters.limit,
      ownParameters.last_login_within,
      ownParameters.created_within,
      ownParameters.mapped,
    ]
    const paging = cursor === undefined ? startPaging(page, filter) : cursors.read(cursor, owner)

    const { page: number, after, after_registration, ...cutOffs } = paging
    const position = after === undefined ? { page: number } : { after, after_registration }
    const { limit = limits.users_default, mapped } = filter
    const { identifiers, total, more, last_registration } = await identity.listUsers(
      { site, limit, mapped, ...cutOffs, ...position },
      call,
    )

    const response = { users: identifiers, total, size: identifiers.length }
    const last = identifiers.at(-1)
    if (!more || last === undefined) return response
    const nextPage = number + 1
    const next = cursors.write({ ...paging, page: nextPage, after: last, after_registration: last_registration }, owner)
    const query = { key: keyInQuery, ...ownParameters, cursor: next }
    return { ...response, next_page: nextPage, next_uri: `${baseUrl}/api/users?${buildQuery(query)}` }
  },
})

interface Filter {
  readonly limit: number | undefined
  readonly last_login_within: Period | undefined
  readonly created_within: Period | undefined
  readonly mapped: 'mapped_only' | 'not_mapped_only' | undefined
}

/** The caller's parameters as in the query. */
function toQueryParameters({ limit, last_login_within, created_within, mapped }: Filter) {
  return {
    limit: limit?.toString(),
    last_login_within: last_login_within?.text,
    created_within: created_within?.text,
    mapped,
  }
}

/** Converts periods to times at the first page, so that all pages use the same filter. */
function startPaging(page = 0, { last_login_within, created_within }: Filter): PagingState {
  const nowSeconds = Math.floor(Date.now() / 1_000)
  return {
    page,
    logged_in_since: last_login_within && nowSeconds - last_login_within.seconds,
    created_since: created_within && nowSeconds - created_within.seconds,
  }
}

function buildQuery(parameters: Readonly<Record<string, string | undefined>>): string {
  const pairs = Object.entries(parameters).filter((pair): pair is [string, string] => pair[1] !== undefined)
  return new URLSearchParams(pairs).toString()
}
