import { describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { scenarioKinds, scenarioNames } from '../../scenarios/kinds.ts'
import { behave, endBehaviours, sendBehaviour } from '../behaviours.ts'
import { get } from '../simulator.ts'
import { setSimulator, url } from './logins.ts'

setSimulator()

describe('JSON', () => {
  const Listed = z.object({
    in_force: z.array(z.looseObject({ behaviour: z.string() })),
    kinds: z.array(z.looseObject({ behaviour: z.string() })),
  })
  const list = async () => Listed.parse((await get(`${url}/behaviours`)).json)

  test('lists what there is and what is in force, until it is ended', async () => {
    expect((await list()).kinds.map(({ behaviour }) => behaviour)).toEqual(scenarioNames)
    const slow = await behave(url, { behaviour: 'slow', provider: 'search' })
    await behave(url, { behaviour: 'refuse', name: '  Hanako   Yamada ' })
    const [first, second, ...others] = (await list()).in_force
    expect(first).toEqual(slow)
    expect(first).toMatchObject({ provider: 'search', name: null, seconds: scenarioKinds.slow.seconds.usual })
    expect(second).toMatchObject({ provider: null, name: 'Hanako Yamada', seconds: null })
    expect(others).toEqual([])
    expect(await endBehaviours(url, slow.id)).toBe(204)
    expect((await list()).in_force).toEqual([second])
    expect(await endBehaviours(url, slow.id)).toBe(404)
    expect(await endBehaviours(url)).toBe(204)
    expect((await list()).in_force).toEqual([])
  })

  test('the same behaviour of the same person begins anew', async () => {
    await behave(url, { behaviour: 'short_access_tokens', name: 'Hanako', seconds: 5 })
    await behave(url, { behaviour: 'short_access_tokens', name: 'Hanako', seconds: 7 })
    expect((await list()).in_force).toEqual([expect.objectContaining({ seconds: 7 })])
  })

  test('ends by itself: after an hour, or after what was chosen', async () => {
    await behave(url, { behaviour: 'refuse', name: 'an hour' })
    await behave(url, { behaviour: 'refuse', name: 'five minutes', lasts_seconds: 300 })
    const namesAfter = async (seconds: number) => {
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + seconds * 1_000 })
      return (await list()).in_force.map(({ name }) => name)
    }
    expect(await namesAfter(295)).toEqual(['an hour', 'five minutes'])
    expect(await namesAfter(10)).toEqual(['an hour'])
    expect(await namesAfter(3_300)).toEqual([])
  })

  test.each([
    [{ behaviour: 'kind' }, 'behaviour: Choose one'],
    [{ behaviour: 'refuse' }, 'name: Choose whom'],
    [{ behaviour: 'refuse', name: '  ' }, 'name: Type a name'],
    [{ behaviour: 'refuse', provider: 'shopping' }, 'provider: Choose one of'],
    [{ behaviour: 'refuse', name: 'Hanako', seconds: 3 }, 'seconds: Leave the seconds out'],
    [{ behaviour: 'slow' }, 'provider: Choose the provider'],
    [{ behaviour: 'slow', provider: 'search', name: 'Hanako' }, 'name: Leave the name out'],
    [{ behaviour: 'slow', provider: 'search', seconds: 0 }, 'seconds: Give 0.1 to 120'],
    [{ behaviour: 'slow', provider: 'search', seconds: '3' }, 'seconds: Give a number'],
    [{ behaviour: 'slow', provider: 'search', lasts_seconds: 86_401 }, 'lasts_seconds: Give at most'],
    [{ behaviour: 'slow', provider: 'search', lasts_seconds: 1.5 }, 'lasts_seconds: Give a whole'],
    [{ behaviour: 'refuse', name: 'Hanako', until: 'tomorrow' }, 'The JSON body: '],
    [null, 'The JSON body: '],
  ])('%j: 400 %s, and nothing is chosen', async (wanted, complaint) => {
    const response = await sendBehaviour(url, wanted)
    expect({ status: response.status, body: await response.json() }).toEqual({
      status: 400,
      body: { error: 'invalid_request', error_description: expect.stringContaining(complaint) },
    })
    expect((await list()).in_force).toEqual([])
  })

  test('counts only when it is called JSON, which a page of another site cannot do', async () => {
    const body = JSON.stringify({ behaviour: 'refuse', name: 'Hanako' })
    const response = await fetch(`${url}/behaviours`, {
      method: 'POST',
      headers: { 'content-type': 'text/plain' },
      body,
    })
    expect(response.status).toBe(400)
  })
})
