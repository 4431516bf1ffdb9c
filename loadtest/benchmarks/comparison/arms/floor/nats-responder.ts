import { connect } from '@nats-io/transport-node'
import { readArmEnvironment, reportServing } from '../environment.ts'

/** Answers every message with itself. */
const nats = await connect({ servers: readArmEnvironment().NATS_URL })
nats.subscribe('floor.echo', { callback: (_, message) => void message.respond(message.data) })
await nats.flush()
reportServing()
