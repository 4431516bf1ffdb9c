import { Validator } from '@seriousme/openapi-schema-validator'
import { Registry } from 'prom-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { adminApi } from '#admin-api'
import type { Deps } from '../deps.ts'
import { adminBasePath } from '../http/admin-paths.ts'
import { createAdminRoutes } from '../http/admin-routes.ts'
import { createExportRoutes } from '../http/export-routes.ts'
import { describeAdminApi } from '../http/openapi.ts'
import { type Harness, startConsole } from './harness.ts'

const described = describeAdminApi('https://console.example.com')

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

test('it is OpenAPI 3.1 by the schema of OpenAPI itself', async () => {
  const validator = new Validator()
  const { valid, errors } = await validator.validate(structuredClone(described))
  expect(errors).toBeUndefined()
  expect([valid, validator.version]).toEqual([true, '3.1'])
})

test('every procedure is there once, and every reference leads somewhere', () => {
  const text = JSON.stringify(described)
  for (const [, reference = ''] of text.matchAll(/"\$ref":"#\/([^"]+)"/g)) {
    const found = reference.split('/').reduce<unknown>((at, step) => Reflect.get(Object(at), step), described)
    expect(found, reference).toBeDefined()
  }
  const ids = [...text.matchAll(/"operationId":"([^"]+)"/g)].map(([, id]) => id)
  expect(ids.sort()).toEqual([...Object.keys(adminApi), 'fetchExport'].sort())
})

test('what the routers answer below /admin/v1 and what is described are the same addresses and methods', () => {
  // Routes are only looked at, which needs nothing but a place for counters.
  const deps = { registry: new Registry() } as Deps
  const routed = [createAdminRoutes(deps, async () => {}), createExportRoutes(deps, async () => {})].flatMap(
    ({ stack }) =>
      stack.flatMap(({ path, methods }) =>
        methods
          .filter((method) => method !== 'HEAD')
          .map(
            (method) =>
              `${method} ${String(path)
                .replace(adminBasePath, '')
                .replaceAll(/:(\w+)/g, '{$1}')}`,
          ),
      ),
  )
  const told = Object.entries(described.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
  expect(routed.sort()).toEqual(told.sort())
})
