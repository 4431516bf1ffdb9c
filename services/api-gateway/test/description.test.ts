import { Ajv2020 } from 'ajv/dist/2020.js'
import type { Browser } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { faultReasonNames, faults, providerNames } from '#contracts'
import { pageHeaders } from '#http'
import { listedOperations, openApiReference, openBrowser, openContext, sendTestRequest } from '#testing'
import { describeApi } from '../description/openapi.ts'
import { responseReference } from '../description/schemas.ts'
import { faultsOf, operationGroups, resourcesOf } from '../operation.ts'
import { operations } from '../operations/index.ts'
import { setOwnStage } from './stage.ts'

const stage = setOwnStage({ gatewayEnvironment: { AUTH_URL: 'https://login.example.com' } })
const address = () => new URL(stage.serviceStack.web_api).origin
const described = describeApi({
  operations,
  names: providerNames(),
  webApiUrl: 'https://api.example.com',
  auth_url: undefined,
})

test('200 at /openapi.json without a key: the same as docs/web-api.openapi.json', async () => {
  const response = await fetch(`${address()}/openapi.json`)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
  // To accept changes: npx vitest run services/api-gateway/test/description.test.ts -u
  await expect(await response.text()).toMatchFileSnapshot('../../../docs/web-api.openapi.json')
})

test('the description is valid OpenAPI 3.1: all references resolve, and operationIds are unique', () => {
  const text = JSON.stringify(described)
  for (const [, reference = ''] of text.matchAll(/"\$ref":"#\/([^"]+)"/g)) {
    const found = reference.split('/').reduce<unknown>((at, step) => Reflect.get(Object(at), step), described)
    expect(found, reference).toBeDefined()
  }
  const ids = [...text.matchAll(/"operationId":"([^"]+)"/g)].map(([, id]) => id)
  expect(new Set(ids).size).toBe(ids.length)
})

test.each(operations)('the example of $name matches the description and has all required parameters', (operation) => {
  const names = providerNames()
  const ajv = new Ajv2020({
    strict: false,
    validateSchema: false,
    formats: { uri: (text: string) => URL.canParse(text) },
  })
  ajv.addSchema(described, 'openapi')
  const { query, response } = operation.example(names)
  const validate = ajv.compile({ $ref: `openapi${responseReference(operation)}` })
  expect([validate({ status: 'ok', ...response }), validate.errors]).toEqual([true, null])
  const values = new Map(Object.entries(query))
  expect(() => operation.prepare({ values, empty: new Set(), repeated: new Set() }, names)).not.toThrow()
})

test('/docs runs scripts of its own origin only', async () => {
  const response = await fetch(`${address()}/docs`)
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  const { 'Content-Security-Policy': _, ...others } = pageHeaders
  for (const [name, value] of Object.entries(others)) expect(response.headers.get(name)).toBe(value)
  const policy = response.headers.get('content-security-policy')?.split('; ')
  expect(policy).toEqual(expect.arrayContaining(["default-src 'none'", "script-src 'self'", "connect-src 'self'"]))
})

test('the browser loads the reference compressed and caches it', async () => {
  const accepts = { 'accept-encoding': 'br' }
  const first = await fetch(`${address()}/docs/scalar.js`, { headers: accepts })
  expect([first.status, first.headers.get('content-encoding')]).toEqual([200, 'br'])
  const etag = first.headers.get('etag') ?? ''
  // Node’s fetch adds `no-cache` unless `Cache-Control` is set.
  const again = await fetch(`${address()}/docs/scalar.js`, {
    headers: { ...accepts, 'if-none-match': etag, 'cache-control': 'max-age=0' },
  })
  expect([again.status, await again.text()]).toEqual([304, ''])
})

test.each(['/', '/api', '/api/'])('%s links to the documentation, and redirects browsers to it', async (path) => {
  const response = await fetch(address() + path)
  expect(response.status).toBe(200)
  expect(response.headers.get('link')).toContain('<https://api.example.com/docs>; rel="service-doc"')
  expect(await response.json()).toEqual({
    documentation: 'https://api.example.com/docs',
    openapi: 'https://api.example.com/openapi.json',
    openid_configuration: 'https://login.example.com/.well-known/openid-configuration',
  })
  const browser = await fetch(address() + path, { redirect: 'manual', headers: { accept: 'text/html,*/*;q=0.8' } })
  expect([browser.status, browser.headers.get('location')]).toEqual([302, 'https://api.example.com/docs'])
})

test('the page and the description link to the discovery document', async () => {
  for (const path of ['/docs/content.json', '/openapi.json'])
    expect(await (await fetch(address() + path)).text()).toContain(
      'https://login.example.com/.well-known/openid-configuration',
    )
})

// Chromium reads 4 MB of scripts for each page.
describe('the reference in a browser', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await openBrowser()
    return () => browser.close()
  })
  /** Opens the reference in a page of its own; its problems are those of this page. */
  const openReference = async () => {
    const page = await (await openContext(browser)).newPage()
    return { page, problems: await openApiReference(page, `${address()}/docs`) }
  }

  test('lists every operation once, by its title in its group, and every error and reason', async () => {
    const { page } = await openReference()
    const listed = await listedOperations(page)
    const paths = operations.map((operation) => resourcesOf(operation, providerNames())[0])
    expect(listed.sort()).toEqual(paths.map((path) => `GET /api/${path}`).sort())
    for (const title of [...Object.values(operationGroups), ...operations.map((operation) => operation.title)])
      expect(
        await page
          .getByRole('link', { name: title })
          .or(page.getByRole('button', { name: title }))
          .count(),
        title,
      ).toBeGreaterThan(0)
    const text = await page.evaluate('document.body.innerText')
    for (const fault of new Set(operations.flatMap(faultsOf))) {
      expect(await page.locator(`#error-${faults[fault].code}`).count(), fault).toBeGreaterThan(0)
      expect(text).toContain(faults[fault].message)
    }
    for (const reason of faultReasonNames) expect(text).toContain(reason)
  })

  test('shows the error that an error response links to', async () => {
    const page = await (await openContext(browser)).newPage()
    await openApiReference(page, `${address()}/docs#error-1004`)
    const heading = page.locator('#error-1004').first()
    const { height } = page.viewportSize() ?? { height: 0 }
    const top = async () => (await heading.boundingBox())?.y
    await expect.poll(top).toSatisfy((y) => y >= 0 && y < height)
  })

  test.each([
    ['that read', '/api/appinfo', 200, { status: 'ok' }],
    ['that write, which are for servers only', '/api/create_user', 403, { error: { code: 1004 } }],
  ])('sends test requests %s', async (_, path, status, body) => {
    const { page, problems } = await openReference()
    const response = await sendTestRequest(page, { path, label: 'Value', credential: stage.site.api_key })
    expect(response.status()).toBe(status)
    expect(await response.json()).toMatchObject(body)
    expect(response.url()).toBe(`${address()}${path}`)
    expect(await page.evaluate('document.body.innerText')).toContain("--header 'X-API-Key: ")
    expect(await page.evaluate('JSON.stringify([localStorage, sessionStorage])')).not.toContain(stage.site.api_key)
    expect(await page.evaluate('indexedDB.databases()')).toEqual([])
    // Chromium reports an error response as a console error.
    if (status === 200) expect(problems).toEqual([])
  })

  test.each([false, true])(
    'fits a phone and a desktop (dark: %s), and loads nothing from other origins',
    async (dark) => {
      const page = await (await openContext(browser, { dark })).newPage()
      await page.setViewportSize({ width: 390, height: 900 })
      const problems = await openApiReference(page, `${address()}/docs`)
      for (const width of [390, 1_280]) {
        await page.setViewportSize({ width, height: 900 })
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
      }
      expect(await page.evaluate('document.body.classList.contains("dark-mode")')).toBe(dark)
      expect(problems).toEqual([])
    },
  )
})
