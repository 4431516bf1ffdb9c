import { Registry } from 'prom-client'
import { openDatabase, startJobWorker } from '#database'
import { createLogger } from '#runtime'

const [, , url = ''] = process.argv
const logger = createLogger('test', 'silent')
const { knex } = await openDatabase({ DATABASE_URL: url }, { name: 'test', logger })
const hang = async () => {
  process.send?.('started')
  await new Promise(() => {})
}
startJobWorker({ hang }, { logger, registry: new Registry(), knex, leaseSeconds: 2 })
