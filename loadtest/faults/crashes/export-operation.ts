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

/** The export of a site's users. An export whose process ends fails, and the administrator requests it again. */
export const exportOperation: FaultOperation = {
  name: 'export',
  participants: ['console', 'identity', 'profile'],
  // A killed console also ends the exports that earlier cases requested again.
  exclusive: true,
  async prepare(faultSite, tag) {
    const { admin } = faultSite
    const site = await createSite(admin, tag)
    await createUsers(faultSite, site)
    const attempt = async () => {
      // Reset, refused or timed out.
      const file = await withTimeout(fetchExport(admin, site)).catch(() => undefined)
      return file === undefined ? undefined : { status: 200, body: 'a file' }
    }
    return { users: [], attempt, repeat: attempt, findUsers: async () => [] }
  },
}

async function createUsers({ admin, web_api }: FaultSite, site: string): Promise<void> {
  const { body } = await admin.send('POST', `/sites/${site}/keys`, { name: 'Fault tests' })
  const { api_key } = IssuedKey.parse(JSON.parse(body))
  for (let created = 0; created < users; ) {
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
async function fetchExport(admin: AdminApi, site: string): Promise<number> {
  for (;;) {
    const { exports } = ReadExports.parse(await admin.read(`/sites/${site}/exports`))
    const [newest] = exports
    if (newest?.state === 'ready') {
      const { status, body } = await admin.send('GET', `/sites/${site}/exports/${newest.export_id}/file`)
      if (status !== 200 || !body.startsWith('PK')) throw new Error(`The file was answered with ${status}.`)
      return body.length
    }
    if (newest === undefined || newest.state === 'failed')
      await admin.send('POST', `/sites/${site}/exports`, { password: 'a long password', with_profile: true })
    await sleep(pollMs)
  }
}
