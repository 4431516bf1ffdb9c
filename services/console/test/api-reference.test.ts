import { expect, test } from 'vitest'
import { listedOperations, openApiReference, openBrowser, openContext, sendTestRequest } from '#testing'
import { describeAdminApi } from '../http/openapi.ts'
import { startConsole } from './harness.ts'

test('/admin/v1/docs lists every operation and sends test requests with a token', async () => {
  await using harness = await startConsole()
  await using stack = new AsyncDisposableStack()
  const browser = stack.adopt(await openBrowser(), (opened) => opened.close())
  const page = await (await openContext(browser)).newPage()
  const problems = await openApiReference(page, `${harness.url}/admin/v1/docs`)

  const { paths } = describeAdminApi('https://console.example.com')
  const described = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).flatMap((method) => (method === 'parameters' ? [] : `${method.toUpperCase()} ${path}`)),
  )
  expect((await listedOperations(page)).sort()).toEqual(described.sort())

  const { token } = await harness.createTokenClient('example', 'viewer')
  const request = { path: '/me', label: 'Bearer Token', credential: token }
  const response = await sendTestRequest(page, request)
  expect(response.status()).toBe(200)
  expect(await response.json()).toMatchObject({ by: 'token' })
  expect(problems).toEqual([])
})
