import { connect, type Msg } from '@nats-io/transport-node'
import knex from 'knex'
import { z } from 'zod'
import { readArmEnvironment, reportServing } from '../environment.ts'

/** A service of the stock chain: stored profiles, by knex with its defaults. */
const Question = z.object({ site: z.int(), identifier: z.string() })

interface StockProfileRow {
  readonly combined: { readonly profile: object } | null
  readonly update_count: number
  readonly last_updated_at: Date | null
}

const { PROFILE_URL, NATS_URL } = readArmEnvironment()
const database = knex({ client: 'pg', connection: PROFILE_URL })
const nats = await connect({ servers: NATS_URL })

nats.subscribe('stock.profiles.find', { queue: 'stock.profiles', callback: (_, message) => void answer(message) })
await nats.flush()
reportServing()

async function answer(message: Msg): Promise<void> {
  const { site, identifier } = Question.parse(message.json())
  const row: StockProfileRow | undefined = await database('profiles')
    .leftJoin('excluded_fields', 'excluded_fields.site', 'profiles.site')
    .where({ 'profiles.site': site, 'profiles.identifier': identifier })
    .first('combined', 'update_count', 'last_updated_at', 'prohibited', 'excludes_everything')
  const { combined = null, update_count = 0, last_updated_at = null } = row ?? {}
  const profile = { ...combined?.profile, update_count, last_updated_at }
  message.respond(JSON.stringify({ ...combined, profile }))
}
