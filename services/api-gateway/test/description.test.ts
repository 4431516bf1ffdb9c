import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { fault_reasons, faults, providerNames } from '#contracts'
import { pageHeaders } from '#http'
import { openBrowser, openContext } from '#testing'
import { describeApi } from '../description/openapi.ts'
import { answerPlace } from '../description/schemas.ts'
import { faultsOf } from '../operation.ts'
import { operations } from '../operations/index.ts'
import { setOwnStage } from './stage.ts'

const stage = setOwnStage({ gateway_environment: { AUTH_URL: 'https://login.example.com' } })
const address = () => new URL(stage.constellation.web_api).origin
const described = describeApi({
  operations,
  names: providerNames(),
  web_api_url: 'https://api.example.com',
  auth_url: undefined,
})

test('200 at /openapi.json without a key: the API as docs/web-api.openapi.json has it', async () => {
  const response = await fetch(`${address()}/openapi.json`)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
  // After a change that is meant: npx vitest run services/api-gateway/test/description.test.ts -u
  await expect(await response.text()).toMatchFileSnapshot('../../../docs/web-api.openapi.json')
})

test('the description is one OpenAPI 3.1 accepts: every reference leads somewhere, every operationId is one', () => {
  const text = JSON.stringify(described)
  for (const [, reference = ''] of text.matchAll(/"\$ref":"#\/([^"]+)"/g)) {
    const found = reference.split('/').reduce<unknown>((at, step) => Reflect.get(Object(at), step), described)
    expect(found, reference).toBeDefined()
  }
  const ids = [...text.matchAll(/"operationId":"([^"]+)"/g)].map(([, id]) => id)
  expect(new Set(ids).size).toBe(ids.length)
})

test.each(operations)(
  'the example of $name is an answer the description has, and no request lacks what is required',
  (operation) => {
    const names = providerNames()
    const ajv = new Ajv2020({
      strict: false,
      validateSchema: false,
      formats: { uri: (text: string) => URL.canParse(text) },
    })
    ajv.addSchema(described, 'openapi')
    const { query, answer } = operation.example(names)
    const validate = ajv.compile({ $ref: `openapi${answerPlace(operation)}` })
    expect([validate({ status: 'ok', ...answer }), validate.errors]).toEqual([true, null])
    const values = new Map(Object.entries(query))
    expect(() => operation.prepare({ values, repeated: new Set() }, names)).not.toThrow()
  },
)

test('the page at /docs has every operation, each with a curl, an answer and every error', async () => {
  const response = await fetch(`${address()}/docs`)
  expect(response.status).toBe(200)
  for (const [name, value] of Object.entries(pageHeaders)) expect(response.headers.get(name)).toBe(value)
  const html = await response.text()
  expect(html).not.toMatch(/<script|undefined|\[object/)
  const sections = html.split('<section id="').slice(1)
  for (const operation of operations) {
    const section = sections.find((text) => text.startsWith(`${operation.name}"`)) ?? ''
    expect(section).toContain('curl ')
    expect(section).toContain('&quot;status&quot;: &quot;ok&quot;')
    for (const fault of faultsOf(operation)) {
      const { status, code, message } = faults[fault]
      expect(section).toContain(`<td>${status}</td><td>${code}</td><td>${message}</td><td>`)
    }
  }
})

test.each(['/', '/api', '/api/'])('%s links to the documentation, and leads a browser there', async (path) => {
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
  for (const path of ['/docs', '/openapi.json'])
    expect(await (await fetch(address() + path)).text()).toContain(
      'https://login.example.com/.well-known/openid-configuration',
    )
})

test('every error links to its place on the page', async () => {
  const html = await (await fetch(`${address()}/docs`)).text()
  for (const operation of operations)
    for (const fault of faultsOf(operation)) expect(html).toContain(`id="error-${faults[fault].code}"`)
  for (const reason of fault_reasons) expect(html).toContain(`<code>${reason}</code>`)
})

test.each([false, true])(
  'the page reads well in a browser, narrow and wide (dark: %s), and loads nothing from elsewhere',
  async (dark) => {
    await using stack = new AsyncDisposableStack()
    const browser = stack.adopt(await openBrowser(), (opened) => opened.close())
    const context = await openContext(browser, { dark })
    const page = await context.newPage()
    const problems: string[] = []
    page.on('console', (message) => problems.push(message.text()))
    page.on('request', (request) => {
      if (!request.url().startsWith(address())) problems.push(request.url())
    })
    for (const width of [390, 1_280]) {
      await page.setViewportSize({ width, height: 900 })
      await page.goto(`${address()}/docs`)
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
      const background = await page.evaluate('getComputedStyle(document.body).backgroundColor')
      expect(background).toBe(dark ? 'rgb(20, 23, 26)' : 'rgb(255, 255, 255)')
    }
    expect(problems).toEqual([])
  },
)
