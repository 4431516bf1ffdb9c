import { expect } from 'vitest'
import type { z } from 'zod'
import { adminApi, type LoginLogEntry } from '#admin-api'
import type { SendRequest } from './managed.ts'
import { waitForReports } from './usage-fixture.ts'

type Login = z.output<typeof LoginLogEntry>

/** Reads the log of logins of a site over the Admin API. */
export function createLoginLogReader(stage: { readonly request: SendRequest }) {
  const list = async (query = '') => {
    const { body } = await stage.request('GET', `/logins?${query}`)
    return adminApi.listSiteLogins.output.parse(body)
  }
  const read = async (loginId: string) => {
    const { body } = await stage.request('GET', `/logins/${loginId}`)
    return adminApi.readSiteLogin.output.parse(body)
  }
  return {
    list,
    read,
    async groups(query = '') {
      const { body } = await stage.request('GET', `/logins/groups?${query}`)
      return adminApi.groupSiteLogins.output.parse(body)
    },
    async ended(query = '') {
      const { body } = await stage.request('GET', `/logins/ended?${query}`)
      return adminApi.listEndedLogins.output.parse(body)
    },
    /** Waits until the log has one login that the query selects, and that has these fields. */
    async find(query: string, fields: Partial<Login>): Promise<Login> {
      return waitForReports(async () => {
        const { logins } = await list(query)
        expect(logins).toEqual([expect.objectContaining(fields)])
        const [login] = logins
        if (login === undefined) throw new Error('The log has no such login.')
        return login
      })
    },
  }
}
