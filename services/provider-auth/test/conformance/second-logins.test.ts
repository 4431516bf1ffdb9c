import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { openTestBrowser, type TestBrowser } from '../browser.ts'
import { type Flow, flows } from './flows.ts'
import { type Authentication, relyingParty } from './relying-party.ts'
import { openSuite, type Suite } from './suite.ts'

/** The modules, and the changes to the second request of each. */
const reauthentication = {
  'oidcc-prompt-login': () => ({ prompt: 'login' }),
  'oidcc-max-age-1': () => ({ max_age: '1' }),
}
const silently = {
  'oidcc-prompt-none-logged-in': () => ({ prompt: 'none' }),
  'oidcc-id-token-hint': (idTokenHint: string) => ({ prompt: 'none', id_token_hint: idTokenHint }),
}
const modules: Readonly<Record<string, (idToken: string) => Record<string, string>>> = {
  ...reauthentication,
  'oidcc-max-age-10000': () => ({ max_age: '10000' }),
  ...silently,
}

/** A login in its own browser. */
interface First {
  readonly browser: TestBrowser
  readonly authentication: Authentication
}

let suite: Suite
/** By flow and module: all first logins are completed more than a second before the second ones start. */
const firstLogins = new Map<Flow, ReadonlyMap<string, First>>()
beforeAll(async () => {
  suite = await openSuite()
  for (const flow of flows) {
    const logins = Object.keys(modules).map(async (module): Promise<[string, First]> => {
      const browser = openTestBrowser()
      return [
        module,
        { browser, authentication: await relyingParty(suite, flow).authenticate({ max_age: '15000' }, { browser }) },
      ]
    })
    firstLogins.set(flow, new Map(await Promise.all(logins)))
  }
  const overAt = Date.now()
  while (Date.now() < overAt + 2_000) await sleep(50)
})

const Times = z.looseObject({ sub: z.string(), auth_time: z.int() })

/** One more login in the same browser. */
async function logInAgain(flow: Flow, module: string) {
  const first = firstLogins.get(flow)?.get(module)
  const getChanges = modules[module]
  if (first === undefined || getChanges === undefined) throw new Error(`No first login for ${module}.`)
  const { browser, authentication } = first
  const second = await relyingParty(suite, flow).authenticate(getChanges(authentication.id_token), { browser })
  const before = Times.parse(authentication.claims)
  return { before, after: Times.parse(second.claims), interactions: second.interactions }
}

describe.each(flows)('$response_type by $response_mode through $path', (flow) => {
  test.each(Object.keys(reauthentication))('%s: the end user logs in again, and auth_time changes', async (module) => {
    const { before, after, interactions } = await logInAgain(flow, module)
    expect(interactions).toBeGreaterThan(0)
    expect(after.sub).toBe(before.sub)
    expect(after.auth_time).toBeGreaterThan(before.auth_time)
  })

  test('oidcc-max-age-10000: auth_time is that of the first login', async () => {
    const { before, after } = await logInAgain(flow, 'oidcc-max-age-10000')
    expect(after).toMatchObject({ sub: before.sub, auth_time: before.auth_time })
  })

  test.each(Object.keys(silently))('%s: the same user and auth_time, without interaction', async (module) => {
    const { before, after, interactions } = await logInAgain(flow, module)
    expect(interactions).toBe(0)
    expect(after).toMatchObject({ sub: before.sub, auth_time: before.auth_time })
  })

  test('oidcc-prompt-none-not-logged-in: an error with the unchanged state of 128 characters', async () => {
    const state = 'Aa0-._~'.repeat(19).slice(0, 128)
    const party = relyingParty(suite, flow)
    const visited = await party.request({ prompt: 'none', state })
    const parameters = party.read(visited, state)
    expect(visited.interactions).toBe(0)
    expect(parameters.get('error')).toMatch(/^(login|interaction|account_selection|consent)_required$/)
    expect([parameters.get('code'), parameters.get('id_token')]).toEqual([null, null])
  })
})
