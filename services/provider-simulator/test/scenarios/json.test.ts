import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { scenarioKinds, scenarioNames } from '../../scenarios/scenario-kinds.ts'
import { endScenarios, sendScenario, startScenario } from '../scenario-api.ts'
import { advanceTime, get } from '../simulator.ts'
import { setSimulator, url } from './logins.ts'

setSimulator()

describe('JSON', () => {
  const Listed = z.object({
    active: z.array(z.looseObject({ scenario: z.string() })),
    kinds: z.array(z.looseObject({ scenario: z.string() })),
  })
  const list = async () => Listed.parse((await get(`${url}/scenarios`)).json)

  test('lists available and active scenarios until they end', async () => {
    expect((await list()).kinds.map(({ scenario }) => scenario)).toEqual(scenarioNames)
    const slow = await startScenario(url, { scenario: 'slow', provider: 'search' })
    await startScenario(url, { scenario: 'deny', name: '  Hanako   Yamada ' })
    const [first, second, ...others] = (await list()).active
    expect(first).toEqual(slow)
    expect(first).toMatchObject({ provider: 'search', name: null, seconds: scenarioKinds.slow.seconds.usual })
    expect(second).toMatchObject({ provider: null, name: 'Hanako Yamada', seconds: null })
    expect(others).toEqual([])
    expect(await endScenarios(url, slow.id)).toBe(204)
    expect((await list()).active).toEqual([second])
    expect(await endScenarios(url, slow.id)).toBe(404)
    expect(await endScenarios(url)).toBe(204)
    expect((await list()).active).toEqual([])
  })

  test('starting the same scenario for the same user again restarts it', async () => {
    await startScenario(url, { scenario: 'short_access_tokens', name: 'Hanako', seconds: 5 })
    await startScenario(url, { scenario: 'short_access_tokens', name: 'Hanako', seconds: 7 })
    expect((await list()).active).toEqual([expect.objectContaining({ seconds: 7 })])
  })

  test('ends after an hour, or after the chosen time', async () => {
    await startScenario(url, { scenario: 'deny', name: 'an hour' })
    await startScenario(url, { scenario: 'deny', name: 'five minutes', lasts_seconds: 300 })
    const namesAfter = async (seconds: number) => {
      advanceTime(seconds)
      return (await list()).active.map(({ name }) => name)
    }
    expect(await namesAfter(295)).toEqual(['an hour', 'five minutes'])
    expect(await namesAfter(10)).toEqual(['an hour'])
    expect(await namesAfter(3_300)).toEqual([])
  })

  test.each([
    [{ scenario: 'kind' }, 'scenario: Choose one'],
    [{ scenario: 'deny' }, 'name: Enter a name, choose a provider'],
    [{ scenario: 'deny', name: '  ' }, 'name: Enter a name'],
    [{ scenario: 'deny', provider: 'shopping' }, 'provider: Choose one of'],
    [{ scenario: 'deny', name: 'Hanako', seconds: 3 }, 'seconds: Leave the seconds empty'],
    [{ scenario: 'slow' }, 'provider: Choose a provider'],
    [{ scenario: 'slow', provider: 'search', name: 'Hanako' }, 'name: Leave the name empty'],
    [{ scenario: 'slow', provider: 'search', seconds: 0 }, 'seconds: Enter 0.1 to 120'],
    [{ scenario: 'slow', provider: 'search', seconds: '3' }, 'seconds: Enter a number'],
    [{ scenario: 'slow', provider: 'search', lasts_seconds: 86_401 }, 'lasts_seconds: Enter at most'],
    [{ scenario: 'slow', provider: 'search', lasts_seconds: 1.5 }, 'lasts_seconds: Enter a whole'],
    [{ scenario: 'deny', name: 'Hanako', until: 'tomorrow' }, 'The JSON body: '],
    [null, 'The JSON body: '],
  ])('%j: 400 %s, and no scenario starts', async (wanted, complaint) => {
    const response = await sendScenario(url, wanted)
    expect({ status: response.status, body: await response.json() }).toEqual({
      status: 400,
      body: { error: 'invalid_request', error_description: expect.stringContaining(complaint) },
    })
    expect((await list()).active).toEqual([])
  })

  test('is accepted only with the content type of JSON, which a page of another site cannot send', async () => {
    const body = JSON.stringify({ scenario: 'deny', name: 'Hanako' })
    const response = await fetch(`${url}/scenarios`, {
      method: 'POST',
      headers: { 'content-type': 'text/plain' },
      body,
    })
    expect(response.status).toBe(400)
  })
})
