import { expect } from 'vitest'
import type { AuditRecord, AuditStream } from '#admin-api'
import type { AdminClient } from './harness.ts'

/** Creates, reads and changes streams at a path of the Admin API. */
export function openStreams({ send }: AdminClient, path: string) {
  const read = async (streamId: string): Promise<AuditStream> => {
    const { body } = await send('GET', `${path}/${streamId}`)
    return body as AuditStream // As the contract says.
  }
  return {
    path,
    read,
    async create(input: Readonly<Record<string, unknown>>) {
      const { status, body } = await send('POST', path, { body: { name: 'SIEM', ...input } })
      expect({ status, body }).toMatchObject({ status: 200 })
      return body as { readonly stream: AuditStream; readonly secret: string | null } // As the contract says.
    },
    async change(streamId: string, changes: Readonly<Record<string, unknown>>) {
      const { revision } = await read(streamId)
      return send('PATCH', `${path}/${streamId}`, { body: changes, headers: { 'if-match': `"${revision}"` } })
    },
    test: (streamId: string) => send('POST', `${path}/${streamId}/tests`, { body: {} }),
    /** Waits until everything was sent that is in the audit trail now. */
    async whenSent(streamId: string) {
      await expect.poll(async () => (await read(streamId)).backlog).toBe(0)
    },
  }
}

/** The records of webhooks, in the order in which they came. */
export function readRecords(events: readonly { readonly data: AuditRecord }[]): AuditRecord[] {
  return events.map(({ data }) => data)
}
