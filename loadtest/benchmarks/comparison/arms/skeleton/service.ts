import { connect, type Msg } from '@nats-io/transport-node'
import pg from 'pg'
import { readArmEnvironment, reportServing } from '../environment.ts'
import { profileStatement, userStatement } from './statements.ts'

/** The service of the skeleton: a prepared statement for each question, and its row as the answer. */
const { IDENTITY_URL, PROFILE_URL, NATS_URL } = readArmEnvironment()
const nats = await connect({ servers: NATS_URL })

serve('skeleton.user', new pg.Pool({ connectionString: IDENTITY_URL }), userStatement)
serve('skeleton.profile', new pg.Pool({ connectionString: PROFILE_URL }), profileStatement)
await nats.flush()
reportServing()

function serve(subject: string, pool: pg.Pool, statement: { readonly name: string; readonly text: string }): void {
  const answer = async (message: Msg) => {
    const { rows } = await pool.query({ ...statement, values: message.json<unknown[]>() })
    message.respond(JSON.stringify(rows[0]))
  }
  nats.subscribe(subject, { callback: (_, message) => void answer(message) })
}
