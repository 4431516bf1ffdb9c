import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { AdminApi } from '../admin-api.ts'
import type { FaultSite } from '../site.ts'
import { createSite } from './console-operations.ts'
import type { FaultOperation } from './fault-case.ts'
import { withTimeout } from './login-operations.ts'

const ReadExports = z.object({ exports: z.array(z.object({ export_id: z.string(), state: z.string() })) })

const IssuedKey = z.object({ api_key: z.string() })

const pollMs = 100
const users = 3

const request = { password: 'a long password' }

/** Exports of a site's users. An export whose process ends fails, and the administrator requests it again. */
export const exportOperations: readonly FaultOperation[] = [
  defineExport('export', { ...request, with_profile: true }),
  // The columns need every reader: of users, profiles, metadata and answers.
  defineExport('export_columns', {
    ...request,
    columns: ['identifier', 'full_name', 'blocked', 'consents', 'app_metadata.plan'],
  }),
]

function defineExport(name: string, requested: object): FaultOperation {
  return {
    name,
    participants: ['console', 'identity', 'profile'],
    // A killed console also ends the exports that earlier cases requested again.
    exclusive: true,
    async prepare(faultSite, tag) {
      const { admin } = faultSite
      const site = await createSite(admin, tag)
      await createUsers(faultSite, site, users)
      const attempt = async () => {
        // Reset, refused or timed out.
        const file = await withTimeout(fetchExport(admin, site, requested)).catch(() => undefined)
        return file === undefined ? undefined : { status: 200, body: 'a file' }
      }
      return { users: [], attempt, repeat: attempt, findUsers: async () => [] }
    },
  }
}

/** Creates users of a site without accounts. */
export async function createUsers({ admin, web_api }: FaultSite, site: string, wanted: number): Promise<void> {
  const { body } = await admin.send('POST', `/sites/${site}/keys`, { name: 'Fault tests' })
  const { api_key } = IssuedKey.parse(JSON.parse(body))
  for (let created = 0; created < wanted; ) {
    const response = await fetch(`${web_api}/create_user`, {
      headers: { authorization: `Bearer ${api_key}`, connection: 'close' },
    })
    await response.body?.cancel()
    if (response.ok) created++
    // The gateway learns of a new key a moment later.
    else await sleep(pollMs)
  }
}

/** The size of the file of the newest export, which is requested unless it is ready or in progress. */
async function fetchExport(admin: AdminApi, site: string, requested: object): Promise<number> {
  for (;;) {
    const { exports } = ReadExports.parse(await admin.read(`/sites/${site}/exports`))
    const [newest] = exports
    if (newest?.state === 'ready') {
      const { status, body } = await admin.send('GET', `/sites/${site}/exports/${newest.export_id}/file`)
      if (status !== 200 || !body.startsWith('PK')) throw new Error(`The file was answered with ${status}.`)
      return body.length
    }
    if (newest === undefined || newest.state === 'failed') await admin.send('POST', `/sites/${site}/exports`, requested)
    await sleep(pollMs)
  }
}
