import { connect, type Msg } from '@nats-io/transport-node'
import knex from 'knex'
import { z } from 'zod'
import { readArmEnvironment, reportServing } from '../environment.ts'

/** A service of the stock chain: users with their links, by knex with its defaults. */
export interface FoundUser {
  readonly user: { readonly identifier: string }
  readonly links: readonly { readonly link_id: string; readonly provider: string }[]
}

const Question = z.object({ site: z.int(), identifier: z.string() })

interface UserWithLink {
  readonly identifier: string
  readonly link_id: string | null
  readonly provider: string | null
  readonly provider_user_id: string | null
  readonly linked_at: Date | null
}

const { IDENTITY_URL, NATS_URL } = readArmEnvironment()
const database = knex({ client: 'pg', connection: IDENTITY_URL })
const nats = await connect({ servers: NATS_URL })

nats.subscribe('stock.users.find', { queue: 'stock.users', callback: (_, message) => void answer(message) })
await nats.flush()
reportServing()

function toFoundUser(rows: readonly UserWithLink[]): FoundUser {
  const [first] = rows
  if (first === undefined) throw new Error('The user does not exist.')
  const { link_id: _, provider: __, provider_user_id: ___, linked_at: ____, ...user } = first
  const links = rows.flatMap(({ link_id, provider, provider_user_id, linked_at }) =>
    link_id === null || provider === null ? [] : [{ link_id, provider, provider_user_id, created_at: linked_at }],
  )
  return { user, links }
}

async function answer(message: Msg): Promise<void> {
  const { site, identifier } = Question.parse(message.json())
  const rows: UserWithLink[] = await database('users')
    .leftJoin('links', { 'links.site': 'users.site', 'links.identifier': 'users.identifier' })
    .where({ 'users.site': site, 'users.identifier': identifier })
    .orderBy(['links.created_at', 'links.provider'])
    .select(
      'users.identifier',
      'users.primary_key',
      'users.mapped_at',
      'users.last_logged_in_at',
      'users.last_logged_in_provider',
      'users.login_count',
      'users.created_at',
      'links.link_id',
      'links.provider',
      'links.provider_user_id',
      'links.created_at as linked_at',
    )
  message.respond(JSON.stringify(toFoundUser(rows)))
}
