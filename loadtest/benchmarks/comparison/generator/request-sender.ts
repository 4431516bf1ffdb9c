import type { z } from 'zod'
import { type LoadConnection, openConnection } from './connection.ts'
import type { LoadGroup } from './protocol.ts'
import type { CreateSender, Sender } from './run-load.ts'

type Group = z.output<typeof LoadGroup>
type Shape = Parameters<CreateSender>[0]
type Operations = ReadonlyMap<Group[number], string>

/** One of this many responses has its body checked. */
const bodySample = 20

let nextGroup = 0

/** Sends the requests of one customer after another, each over a new connection. */
export function createRequestSender(groups: readonly Group[]): CreateSender {
  const operations = new Map(groups.flat().map((request) => [request, request.path.replace(/\?.*/, '')]))
  return (shape, n) => openSender(groups, operations, shape, n)
}

function openSender(groups: readonly Group[], operations: Operations, shape: Shape, n: number): Sender {
  const { addresses, requests_per_connection } = shape
  const address = addresses[n % addresses.length] ?? ''
  let connection: LoadConnection | undefined
  let group: Group = []
  let sent = 0
  return {
    async sendNext() {
      if (connection !== undefined && sent % requests_per_connection === 0) {
        await connection.close()
        connection = undefined
      }
      if (connection === undefined) {
        connection = openConnection(address)
        group = groups[nextGroup++ % groups.length] ?? []
      }
      const request = group[sent % group.length]
      if (request === undefined) throw new Error('The customer has no requests.')
      await connection.send(request, sent++ % bodySample === 0)
      return operations.get(request) ?? ''
    },
    async close() {
      await connection?.close()
    },
  }
}
