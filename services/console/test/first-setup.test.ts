import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openContext, openForTest, type SharedStack, sharedStack } from '#testing'
import { buildInvitationLink, insertInvitation } from '../store/invitations.ts'
import { newAccount } from './managed.ts'
import { openPagesBrowser } from './pages-browser.ts'

const personAtProvider = 'Hanako Yamada'

let stack: AsyncDisposableStack
let serviceStack: SharedStack
let browser: Browser
/** Redirect URI of the test application. */
let callback: string
beforeAll(async () => {
  stack = new AsyncDisposableStack()
  browser = stack.use(await openPagesBrowser())
  serviceStack = await sharedStack()
  const application = createServer((_, response) => response.end('welcome back')).listen(0)
  await once(application, 'listening')
  stack.defer(() => {
    application.closeAllConnections()
    application.close()
  })
  const address = application.address()
  callback = `http://localhost:${typeof address === 'object' ? address?.port : ''}/callback`
})
afterAll(() => stack.disposeAsync())

/** A browser with a passkey, and the console errors of its pages. */
async function newcomer(): Promise<{ context: BrowserContext; page: Page; complaints: string[] }> {
  const context = await openContext(browser)
  const page = await context.newPage()
  const cdp = await context.newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  const complaints: string[] = []
  page.on('pageerror', ({ message }) => complaints.push(message))
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      complaints.push(message.text())
  })
  return { context, page, complaints }
}

async function signInLink(): Promise<string> {
  await using database = openForTest(serviceStack.console.database_url)
  const { token } = await insertInvitation(database.knex, { name: 'Newcomer', signs_in: true, now: new Date() })
  return buildInvitationLink(serviceStack.console.url, token)
}

/** Reads the one-time secrets of a dialog, in their order. */
async function keepSecrets(page: Page): Promise<string[]> {
  const dialog = page.getByRole('dialog')
  const secrets = dialog.locator('[data-copied]')
  await secrets.first().waitFor()
  const values = await secrets.allInnerTexts()
  await dialog.getByRole('checkbox', { name: 'I have stored it in a safe place' }).check()
  await dialog.getByRole('button', { name: 'Done' }).click()
  // The button that opened the dialog must be unique again.
  await dialog.waitFor({ state: 'detached' })
  return values
}

const button = (within: Page | Locator, name: string | RegExp) => within.getByRole('button', { name })
const goTo = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true }).click()

async function callWebApi(apiKey: string): Promise<number> {
  const response = await fetch(`${serviceStack.web_api}/appinfo?${new URLSearchParams({ key: apiKey })}`)
  return response.status
}

test('a new operator signs in, sets up a site, a client and a provider, logs in, finds the user, rotates the key and reads the audit trail', async () => {
  const { context, page, complaints } = await newcomer()

  // Signs in and adds a passkey.
  await page.goto(await signInLink())
  await page.getByRole('heading', { name: 'Accounts' }).waitFor()
  await page.getByRole('button', { name: /My profile/ }).click()
  await page.getByRole('menuitem', { name: 'My profile' }).click()
  await button(page, 'Add passkey').click()
  await page
    .getByRole('dialog')
    .getByLabel(/Passkey name/)
    .fill('Laptop')
  await button(page.getByRole('dialog'), 'Add passkey').click()
  await page.getByRole('table', { name: 'Passkeys' }).getByText('Laptop').waitFor()

  // Creates an account and a site; an invalid site ID is reported at its field.
  await goTo(page, 'Accounts')
  await button(page, 'Create account').click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Example Ltd.')
  await page.getByLabel('Account ID').fill(newAccount())
  await button(page.getByRole('dialog'), 'Create account').click()
  await page.getByRole('heading', { name: 'Sites of Example Ltd.' }).waitFor()
  await button(page, 'Create site').click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Online shop')
  await page.getByLabel('Site ID').fill('Online shop')
  await button(page.getByRole('dialog'), 'Create site').click()
  await page.getByText('Lower-case letters, digits and hyphens').waitFor()
  await page.getByLabel('Site ID').fill('shop')
  await button(page.getByRole('dialog'), 'Create site').click()

  // The overview shows the next step: a client. An invalid redirect URI is reported with the reason.
  await page.getByRole('link', { name: 'Create a client' }).click()
  const making = page.getByRole('dialog')
  await making.getByRole('textbox', { name: 'Name' }).fill('Shop server')
  await making.getByLabel('Redirect URIs').fill(`${callback}#fragment`)
  await button(making, 'Create client').click()
  await making
    .getByText(/fragment/i)
    .first()
    .waitFor()
  await making.getByLabel('Redirect URIs').fill(callback)
  await making.getByLabel('Logout URIs').fill(new URL('/', callback).href)
  await button(making, 'Create client').click()
  const [clientId = '', clientSecret = ''] = await keepSecrets(page)
  expect([clientId, clientSecret]).toEqual([expect.stringMatching(/./), expect.stringMatching(/.{20,}/)])

  // Sets up the provider: its credentials are entered here, our callback URL is entered there.
  await goTo(page, 'Login providers')
  await page.getByRole('link', { name: 'LINE', exact: true }).click()
  await page.getByRole('textbox', { name: 'Channel ID', exact: true }).fill('1650000000')
  await page.getByLabel('Channel secret').fill('0123456789abcdef0123456789abcdef')
  await button(page, 'Save').click()
  await page.getByText('Setup is complete. Users can log in with this provider.').waitFor()
  const providerCallback = await page.locator('[data-copied="Callback URL"]').innerText()
  const registered = await fetch(`${serviceStack.simulator}/clients`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      provider: 'messaging',
      client_id: '1650000000',
      client_secret: '0123456789abcdef0123456789abcdef',
      redirect_uris: [providerCallback],
    }),
  })
  expect(registered.status).toBe(201)

  // Runs a test login in a new tab; the page shows the outcome.
  const opened = context.waitForEvent('page')
  await button(page, 'Start test login').click()
  const tab = await opened
  await tab.getByRole('textbox').fill(personAtProvider)
  await button(tab, 'Allow').click()
  await tab.getByText('welcome back').waitFor()
  expect(new URL(tab.url()).searchParams.has('code')).toBe(true)
  await tab.close()
  await page.getByText('The login succeeded.').waitFor()
  const claims = page.getByRole('table', { name: 'Claims from the provider' })
  await claims.getByText(personAtProvider).first().waitFor()
  await page.getByRole('table', { name: 'Profile' }).getByText(personAtProvider).first().waitFor()

  // Finds the user by the provider account ID.
  await page.getByRole('link', { name: 'Show user' }).click()
  const links = page.getByRole('table', { name: 'Linked providers' })
  const providerUserId = await links.getByRole('cell').nth(1).innerText()
  const identifier = await page.locator('[data-copied="Identifier"]').innerText()
  await goTo(page, 'Users')
  await page.getByLabel('Find user').fill(providerUserId)
  await button(page, 'Find').click()
  await page.locator('[data-copied="Identifier"]').getByText(identifier).waitFor()

  // Rotates the key with one confirmation: issues a second key, then revokes the first.
  await goTo(page, 'API keys')
  const issue = async (name: string) => {
    await button(page, 'Issue API key').click()
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill(name)
    await button(page.getByRole('dialog'), 'Issue API key').click()
  }
  await issue('First key')
  const confirmation = button(page, 'Use passkey')
  const shownOnce = page.getByText('Shown only once')
  await confirmation.or(shownOnce).waitFor()
  if (await confirmation.isVisible()) await confirmation.click()
  const [firstKey = ''] = await keepSecrets(page)
  expect(await callWebApi(firstKey)).toBe(200)
  await issue('Second key')
  const [secondKey = ''] = await keepSecrets(page)
  expect(await callWebApi(secondKey)).toBe(200)
  await button(page, 'Revoke First key').click()
  await button(page.getByRole('dialog'), 'Revoke').click()
  await page.getByRole('table', { name: 'Revoked keys' }).getByText('First key').waitFor()
  await expect.poll(() => callWebApi(firstKey)).not.toBe(200)
  expect(await callWebApi(secondKey)).toBe(200)

  // The audit trail has all changes with the actor, without secrets.
  await goTo(page, 'Example Ltd.')
  await goTo(page, 'Audit trail')
  const trail = page.getByRole('table', { name: 'Audit trail' })
  await trail.getByText('API key revoked').waitFor()
  const actions = await trail.getByRole('row').getByRole('button').allInnerTexts()
  const readings = [
    'Names of users read',
    'Users searched',
    'User data read',
    'User metadata read',
    'User consents read',
    'Applications of a user read',
    'Events of a user read',
  ]
  expect(actions).toEqual(expect.arrayContaining(readings))
  expect(actions.filter((action) => !readings.includes(action))).toEqual([
    'API key revoked',
    'API key issued',
    'API key issued',
    'Test login started',
    'Provider settings saved',
    'Client created',
    // The rejected client.
    'Client created',
    'Site created',
    'Account created',
  ])
  expect(await trail.getByRole('row', { name: 'Client created rejected' }).count()).toBe(1)
  await button(trail, 'Client created').first().click()
  const entry = page.getByRole('dialog')
  await entry.getByText(/By Newcomer from /).waitFor()
  const written = await entry.innerText()
  expect(written).toContain(callback)
  expect(written).not.toContain(clientSecret)

  expect(complaints).toEqual([])
  await context.close()
})

test('a concurrent change of a site is shown to the second member and not overwritten', async () => {
  const { context, page, complaints } = await newcomer()
  await page.goto(await signInLink())
  await page.getByRole('heading', { name: 'Accounts' }).waitFor()
  const send = (method: string, path: string, body: object, revision?: number) =>
    page.evaluate(
      async ([how, to, sent, match]) => {
        const headers = {
          'x-console': '1',
          'content-type': 'application/json',
          ...(match ? { 'if-match': match } : {}),
        }
        return (await fetch(`/admin/v1${to}`, { method: how, headers, body: JSON.stringify(sent) })).status
      },
      [method, path, body, revision === undefined ? undefined : `"${revision}"`] as const,
    )
  const account = newAccount()
  expect(await send('POST', '/accounts', { account, name: 'Shared' })).toBeLessThan(300)
  const sites = `/accounts/${account}/sites`
  const site = `${sites}/shop`
  expect(await send('POST', sites, { site_id: 'shop', name: 'Shop', kind: 'development' })).toBeLessThan(300)

  await page.goto(`${serviceStack.console.url}${site}/settings`)
  await page.getByRole('textbox', { name: 'Domains' }).fill('www.example.com')
  const etag = await page.evaluate(async (at) => (await fetch(`/admin/v1${at}`)).headers.get('etag'), site)
  const revision = Number(etag?.replaceAll('"', ''))
  expect(await send('PATCH', site, { name: 'Shop of the first' }, revision)).toBe(200)
  await button(page, 'Save').first().click()
  await page.getByText('Name is now Shop of the first').waitFor()
  await button(page, 'Apply these changes and keep my input').click()
  expect(await page.getByRole('textbox', { name: 'Name', exact: true }).inputValue()).toBe('Shop of the first')
  expect(await page.getByRole('textbox', { name: 'Domains' }).inputValue()).toBe('www.example.com')
  await button(page, 'Save').first().click()
  await page.getByText('Saved.').waitFor()
  const saved = await page.evaluate(async (at) => (await fetch(`/admin/v1${at}`)).json(), site)
  expect(saved).toMatchObject({ name: 'Shop of the first', domains: ['www.example.com'] })
  expect(complaints).toEqual([])
  await context.close()
})
