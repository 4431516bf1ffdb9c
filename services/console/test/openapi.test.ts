import { Validator } from '@seriousme/openapi-schema-validator'
import { Registry } from 'prom-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { adminApi } from '#admin-api'
import { adminBasePath } from '../admin-paths.ts'
import type { Deps } from '../deps.ts'
import { createAdminRoutes } from '../http/admin-routes.ts'
import { createExportRoutes } from '../http/export-routes.ts'
import { describeAdminApi } from '../http/openapi.ts'
import { createPictureRoutes } from '../http/picture-routes.ts'
import { type Harness, startConsole } from './harness.ts'

const described = describeAdminApi('https://console.example.com')

let harness: Harness
beforeAll(async () => {
  harness = await startConsole({ environment: { CONSOLE_URL: 'https://console.example.com' } })
})
afterAll(() => harness[Symbol.asyncDispose]())

test('/admin/v1/openapi.json matches docs/admin-api.openapi.json and requires no authentication', async () => {
  const response = await fetch(`http://localhost:${harness.replica.exposed.port}/admin/v1/openapi.json`)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
  // After an intended change: npx vitest run services/console/test/openapi.test.ts -u
  await expect(await response.text()).toMatchFileSnapshot('../../../docs/admin-api.openapi.json')
})

test('the description is valid OpenAPI 3.1', async () => {
  const validator = new Validator()
  const { valid, errors } = await validator.validate(structuredClone(described))
  expect(errors).toBeUndefined()
  expect([valid, validator.version]).toEqual([true, '3.1'])
})

test('every procedure is described once, and every reference resolves', () => {
  const text = JSON.stringify(described)
  for (const [, reference = ''] of text.matchAll(/"\$ref":"#\/([^"]+)"/g)) {
    const found = reference.split('/').reduce<unknown>((at, step) => Reflect.get(Object(at), step), described)
    expect(found, reference).toBeDefined()
  }
  const ids = [...text.matchAll(/"operationId":"([^"]+)"/g)].map(([, id]) => id)
  expect(ids.sort()).toEqual([...Object.keys(adminApi), 'fetchExport', 'fetchUserPicture'].sort())
})

test('routes and description have the same paths and methods', () => {
  // The routes are only listed, which requires only a metrics registry.
  const deps = { registry: new Registry() } as Deps
  const creators = [createAdminRoutes, createExportRoutes, createPictureRoutes]
  const routed = creators.flatMap((createRoutes) =>
    createRoutes(deps, async () => {}).stack.flatMap(({ path, methods }) =>
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
  const describedRoutes = Object.entries(described.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
  expect(routed.sort()).toEqual(describedRoutes.sort())
})
