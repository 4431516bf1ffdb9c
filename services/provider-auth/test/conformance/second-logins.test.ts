import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { openTestBrowser } from '../browser.ts'
import { type Flow, flows } from './flows.ts'
import { relyingParty } from './relying-party.ts'
import { type Suite, startSuite } from './suite.ts'

let suite: Suite
beforeAll(async () => {
  suite = await startSuite()
})
afterAll(() => suite[Symbol.asyncDispose]())

const Times = z.looseObject({ sub: z.string(), auth_time: z.int() })

/** A login, and one more in the same browser when a second and more has gone by. */
async function logInTwice(flow: Flow, second_request: (id_token: string) => Record<string, string>) {
  const browser = openTestBrowser()
  const first = await relyingParty(suite, flow).authenticate({ max_age: '15000' }, { browser })
  const { auth_time } = Times.parse(first.claims)
  while (Date.now() < (auth_time + 2) * 1_000) await sleep(50)
  const second = await relyingParty(suite, flow).authenticate(second_request(first.id_token), { browser })
  return { before: Times.parse(first.claims), after: Times.parse(second.claims), interactions: second.interactions }
}

describe.concurrent.each(flows)('CONF-1 CONF-2 $response_type through $path', (flow) => {
  test.each([
    ['oidcc-prompt-login', { prompt: 'login' }],
    ['oidcc-max-age-1', { max_age: '1' }],
  ])('%s: the person logs in anew, and auth_time says so', async (_, parameters) => {
    const { before, after, interactions } = await logInTwice(flow, () => parameters)
    expect(interactions).toBeGreaterThan(0)
    expect(after.sub).toBe(before.sub)
    expect(after.auth_time).toBeGreaterThan(before.auth_time)
    expect(Math.abs(after.auth_time - Date.now() / 1_000)).toBeLessThan(60)
  })

  test('oidcc-max-age-10000: auth_time is that of the first login', async () => {
    const { before, after } = await logInTwice(flow, () => ({ max_age: '10000' }))
    expect(after).toMatchObject({ sub: before.sub, auth_time: before.auth_time })
  })

  test.each([
    ['oidcc-prompt-none-logged-in', () => ({ prompt: 'none' })],
    ['oidcc-id-token-hint', (id_token_hint: string) => ({ prompt: 'none', id_token_hint })],
  ])('%s: the same user and auth_time, and nobody is asked anything', async (_, parameters) => {
    const { before, after, interactions } = await logInTwice(flow, parameters)
    expect(interactions).toBe(0)
    expect(after).toMatchObject({ sub: before.sub, auth_time: before.auth_time })
  })

  test('oidcc-prompt-none-not-logged-in: an error, with a state of 128 characters as it was', async () => {
    const state = 'Aa0-._~'.repeat(19).slice(0, 128)
    const party = relyingParty(suite, flow)
    const visited = await party.request({ prompt: 'none', state })
    const parameters = party.read(visited, state)
    expect(visited.interactions).toBe(0)
    expect(parameters.get('error')).toMatch(/^(login|interaction|account_selection|consent)_required$/)
    expect([parameters.get('code'), parameters.get('id_token')]).toEqual([null, null])
  })
})
