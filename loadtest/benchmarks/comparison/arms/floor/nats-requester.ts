import { connect } from '@nats-io/transport-node'
import { readArmEnvironment } from '../environment.ts'
import { driveOperation } from './driver.ts'

/** Requests over NATS with the payload of a question, by the stock client. */
const nats = await connect({ servers: readArmEnvironment().NATS_URL })
const question = JSON.stringify({ site: 1, identifier: '0123456789abcdef0123456789abcdef01234567' })
driveOperation(() => nats.request('floor.echo', question, { timeout: 5_000 }))
