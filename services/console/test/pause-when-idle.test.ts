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
})
afterAll(() => stack.disposeAsync())

test('an idle page stops refetching, so that its session can end, and refetches when the user returns', async () => {
  const { url } = harness
  const { cookie } = await harness.createMemberClient({ operator: true })
  const [name = '', value = ''] = cookie.split('=')
  const browser = await openBrowser()
  stack.defer(() => browser.close())
  const context = await openContext(browser)
  await context.addCookies([{ name, value, url }])
  const page = await context.newPage()
  let requests = 0
  let responses = 0
  page.on('request', (request) => {
    if (request.url().endsWith('/providers/health')) requests += 1
  })
  page.on('requestfinished', (request) => {
    if (request.url().endsWith('/providers/health')) responses += 1
  })

  await page.clock.install()
  await page.goto(`${url}/health`)
  await page.getByRole('table').waitFor()
  const atFirst = requests
  await page.clock.runFor('01:00')
  await expect.poll(() => requests).toBeGreaterThan(atFirst)

  await page.clock.runFor('10:00')
  // A late response counts as new at the time of the page, and would still be new when the mouse moves.
  await expect.poll(() => responses).toBe(requests)
  const leftAlone = requests
  await page.clock.runFor('10:00')
  await page.clock.runFor('10:00')
  expect(requests).toBe(leftAlone)

  await page.mouse.move(50, 50)
  await expect.poll(() => requests).toBeGreaterThan(leftAlone)
})
