import { setTimeout as delay } from 'node:timers/promises'
import { expect, inject, test } from 'vitest'
import { defineStatement, provisionDatabase } from '#database'
import { guardConnection } from '../guard-connection.ts'
import { createReader } from '../reader.ts'
import { unrecorded } from '../run-statement.ts'

const silenceMs = 200
const selectOne = defineStatement('select 1 as one')

test('a look-up that a process makes right after it was stopped for longer than Postgres may be silent succeeds', async () => {
  const url = await provisionDatabase(inject('postgres_url'), { name: `guard_${process.pid}`, password: 'p' })
  await using reader = createReader({
    config: () => ({ connectionString: url }),
    prepare: (client) => guardConnection(client, { silenceMs, onUnwritable: () => {} }),
    execution: unrecorded,
    connections: 1,
  })
  const look = () => selectOne(reader, [])
  await look()
  const later = delay(silenceMs / 4).then(look)
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2 * silenceMs)
  expect((await later).rows).toEqual([{ one: 1 }])
})
