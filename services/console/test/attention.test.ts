import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser, openContext } from '#testing'
import { buildPages, isStale } from '../web/build.ts'
import { type Harness, startConsole } from './harness.ts'

let stack: AsyncDisposableStack
let harness: Harness
beforeAll(async () => {
  stack = new AsyncDisposableStack()
  if (isStale()) await buildPages()
  harness = stack.use(await startConsole({ web: join(import.meta.dirname, '../web/dist') }))
}, 120_000)
afterAll(() => stack.disposeAsync())

test('a page that nobody touches reads nothing by itself, so that its session can end; who comes back sees what is new', async () => {
  const { url } = harness
  const { cookie } = await harness.signedIn({ operator: true })
  const [name = '', value = ''] = cookie.split('=')
  const browser = await openBrowser()
  stack.defer(() => browser.close())
  const context = await openContext(browser)
  await context.addCookies([{ name, value, url }])
  const page = await context.newPage()
  let asked = 0
  let answered = 0
  page.on('request', (request) => {
    if (request.url().endsWith('/providers/health')) asked += 1
  })
  page.on('requestfinished', (request) => {
    if (request.url().endsWith('/providers/health')) answered += 1
  })

  await page.clock.install()
  await page.goto(`${url}/health`)
  await page.getByRole('table').waitFor()
  const atFirst = asked
  await page.clock.runFor('01:00')
  await expect.poll(() => asked).toBeGreaterThan(atFirst)

  await page.clock.runFor('10:00')
  // An answer that comes late is new to the page at the page's own time, and would be new still when the mouse moves.
  await expect.poll(() => answered).toBe(asked)
  const leftAlone = asked
  await page.clock.runFor('10:00')
  await page.clock.runFor('10:00')
  expect(asked).toBe(leftAlone)

  await page.mouse.move(50, 50)
  await expect.poll(() => asked).toBeGreaterThan(leftAlone)
}, 60_000)
