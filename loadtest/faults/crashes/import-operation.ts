import { z } from 'zod'
import { UserImport } from '#admin-api'
import { createSite } from './console-operations.ts'
import type { FaultOperation } from './fault-case.ts'

const Started = z.object({ import_id: z.string() })

/** The import of a batch of users with accounts, tokens, profiles and friend status, which the sender repeats. */
export const importOperation: FaultOperation = {
  name: 'import_users',
  participants: ['console', 'provider-auth', 'identity', 'profile', 'friendship'],
  async prepare({ admin }, tag) {
    const path = `/sites/${await createSite(admin, tag)}/imports`
    const started = await admin.send('POST', path, { file_name: 'users.ndjson' })
    const { import_id } = Started.parse(JSON.parse(started.body))
    const users = [`${tag}-1`, `${tag}-2`]
    const batch = { first_line: 1, records: users.map(createRecord) }
    const attempt = async () => {
      try {
        const { status, body } = await admin.send('PUT', `${path}/${import_id}/batches/0`, batch)
        if (status >= 500 || status === 429) return undefined
        if (status !== 200) return { status, body }
        const { created, merged, replaced, skipped, rejected, next_batch } = UserImport.parse(JSON.parse(body))
        return { status, body: JSON.stringify({ created, merged, replaced, skipped, rejected, next_batch }) }
      } catch {
        return undefined // reset, refused or timed out
      }
    }
    return { users, attempt, repeat: attempt, findUsers: async () => [] }
  },
}

function createRecord(identifier: string) {
  return {
    identifier,
    primary_key: identifier,
    created_at: '2020-01-01T00:00:00Z',
    login_count: 3,
    links: [
      {
        provider: 'messaging',
        provider_user_id: identifier,
        credential: { access_token: 'token' },
        data: { profile: { full_name: 'Imported' } },
        friendship_status: true,
      },
    ],
  }
}
