import { describe, expect, test } from 'vitest'
import { scenarioNames } from '../../scenarios/scenario-kinds.ts'
import { startScenario } from '../scenario-api.ts'
import { openForm } from '../simulator.ts'
import { authorization, providers, setSimulator, url } from './logins.ts'

setSimulator()

describe('the page', () => {
  const open = async () => (await fetch(`${url}/scenarios`, { headers: { accept: 'text/html' } })).text()
  const tokenOf = (html: string) => /name="form_token" value="([^"]+)"/.exec(html)?.[1] ?? ''
  const send = (path: string, fields: Record<string, string>) =>
    fetch(`${url}${path}`, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' })

  test('is linked from the start page and offers every scenario', async () => {
    expect(await (await fetch(url)).text()).toContain('href="/scenarios"')
    const html = await open()
    expect([...html.matchAll(/type="radio" id="(\w+)"/g)].map(([, id]) => id)).toEqual(scenarioNames)
    expect(html).not.toMatch(/<script|style=/)
  })

  test('starts a scenario, lists it and ends it', async () => {
    const formToken = tokenOf(await open())
    const chosen = {
      scenario: 'slow',
      provider: 'search',
      name: '',
      seconds_slow: '3',
      seconds_short_access_tokens: '30',
    }
    const sent = await send('/scenarios', { form_token: formToken, ...chosen, lasts_seconds: '300' })
    expect({ status: sent.status, location: sent.headers.get('location') }).toEqual({
      status: 303,
      location: '/scenarios',
    })
    const html = await open()
    expect(html).toMatch(
      /<strong>The servers at search<\/strong>: Are slow \(3 seconds\)<span class="quiet">, 5 minutes left/,
    )
    const id = /name="id" value="([^"]+)"/.exec(html)?.[1] ?? ''
    expect((await send('/scenarios/end', { form_token: formToken, id })).status).toBe(303)
    expect(await open()).toContain('No active scenarios')
  })

  test('ends all scenarios', async () => {
    await startScenario(url, { scenario: 'deny', name: 'Hanako' })
    await startScenario(url, { scenario: 'slow', provider: 'search' })
    await send('/scenarios/end', { form_token: tokenOf(await open()) })
    expect(await open()).toContain('No active scenarios')
  })

  test('keeps the input when it shows an error', async () => {
    const formToken = tokenOf(await open())
    const response = await send('/scenarios', {
      form_token: formToken,
      scenario: 'slow',
      name: '<b>Hanako',
      provider: 'search',
    })
    expect(response.status).toBe(400)
    const html = await response.text()
    expect(html).toMatch(/role="alert">Leave the name empty/)
    expect(html).toContain('value="&lt;b&gt;Hanako"')
    expect(html).toMatch(/value="slow" required\s+aria-describedby="slow-effect" checked/)
  })

  test.each(['/scenarios', '/scenarios/end'])('%s rejects a form of another site', async (path) => {
    await startScenario(url, { scenario: 'deny', name: 'Hanako' })
    for (const forged of [{}, { form_token: 'guessed' }]) {
      expect((await send(path, { ...forged, scenario: 'slow', provider: 'search' })).status).toBe(403)
    }
    expect(await open()).toContain('Denies the login')
    expect(await open()).not.toContain('Are slow (')
  })

  test('the sign-in page lists active scenarios', async () => {
    await startScenario(url, { scenario: 'deny', name: 'Hanako', provider: 'portal' })
    await startScenario(url, { scenario: 'no_email', name: 'Taro' })
    const [messaging, portal] = providers
    const atPortal = (await openForm(authorization(portal))).html
    expect(atPortal).toContain('<strong>Hanako at portal</strong>: Denies the login')
    expect(atPortal).toContain('<strong>Taro at every provider</strong>: Has no e-mail address')
    const elsewhere = (await openForm(authorization(messaging))).html
    expect(elsewhere).not.toContain('Hanako at portal')
  })
})
