import { afterAll, beforeAll, expect, test } from 'vitest'
import { adminApi } from '#admin-api'
import { describeAdminApi } from '../http/openapi.ts'
import { type Harness, startConsole } from './harness.ts'

let harness: Harness
beforeAll(async () => {
  harness = await startConsole({ environment: { CONSOLE_URL: 'https://console.example.com' } })
})
afterAll(() => harness[Symbol.asyncDispose]())

test('200 at /admin/v1/openapi.json without signing in: the API as docs/admin-api.openapi.json has it', async () => {
  const response = await fetch(`http://localhost:${harness.replica.exposed.port}/admin/v1/openapi.json`)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
  // After a change that is meant: npx vitest run services/console/test/openapi.test.ts -u
  await expect(await response.text()).toMatchFileSnapshot('../../../docs/admin-api.openapi.json')
})

test('every procedure is there once, and every reference leads somewhere', () => {
  const described = describeAdminApi('https://console.example.com')
  const text = JSON.stringify(described)
  for (const [, reference = ''] of text.matchAll(/"\$ref":"#\/([^"]+)"/g)) {
    const found = reference.split('/').reduce<unknown>((at, step) => Reflect.get(Object(at), step), described)
    expect(found, reference).toBeDefined()
  }
  const ids = [...text.matchAll(/"operationId":"([^"]+)"/g)].map(([, id]) => id)
  expect(ids.sort()).toEqual(Object.keys(adminApi).sort())
})
