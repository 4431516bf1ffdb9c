import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { signInRoutes } from '#admin-api'
import { type SeededSite, seedSite } from '#testing'
import { describeAdminApi } from '../http/openapi.ts'
import { type Managed, newAccount, openManaged } from './managed.ts'

/** Characters that Postgres cannot store (NUL) or UTF-8 cannot encode (a lone surrogate), in JSON and percent-encoded. */
const hostile = [
  ['NUL', 'a\0b', 'a%00b'],
  ['a lone surrogate', 'a\ud800b', 'a%ED%A0%80b'],
] as const

let managed: Managed
let site: SeededSite
beforeAll(async () => {
  managed = await openManaged()
  site = await seedSite(managed.serviceStack, { account: newAccount() })
})
afterAll(() => managed[Symbol.asyncDispose]())

const Schema: z.ZodType<Schema> = z.lazy(() =>
  z.looseObject({
    type: z.union([z.string(), z.array(z.string())]).optional(),
    properties: z.record(z.string(), Schema).optional(),
    items: Schema.optional(),
    additionalProperties: z.union([z.boolean(), Schema]).optional(),
    propertyNames: z.looseObject({ enum: z.array(z.string()).optional() }).optional(),
    anyOf: z.array(Schema).optional(),
  }),
)
interface Schema {
  readonly type?: string | string[] | undefined
  readonly properties?: Record<string, Schema> | undefined
  readonly items?: Schema | undefined
  readonly additionalProperties?: boolean | Schema | undefined
  readonly propertyNames?: { readonly enum?: string[] | undefined } | undefined
  readonly anyOf?: Schema[] | undefined
}
const Parameter = z.looseObject({ name: z.string(), in: z.enum(['path', 'query', 'header']), schema: Schema })
const Operation = z.looseObject({
  parameters: z.array(Parameter).default([]),
  requestBody: z.looseObject({ content: z.record(z.string(), z.looseObject({ schema: Schema })) }).optional(),
})
const Document = z.looseObject({ paths: z.record(z.string(), z.record(z.string(), Operation)) })

/** Every text field in a schema, with a function that creates an object with `text` in that field. */
function textPlaces(schema: Schema, path: string[] = []): { path: string[]; make: (text: string) => unknown }[] {
  const { type, properties = {}, items, additionalProperties, propertyNames, anyOf = [] } = schema
  const [key = 'any'] = propertyNames?.enum ?? []
  const here = [type].flat().includes('string') ? [{ path, make: (text: string): unknown => text }] : []
  const within = (name: string, inner: Schema, wrap: (created: unknown) => unknown) =>
    textPlaces(inner, [...path, name]).map(({ path, make }) => ({ path, make: (text: string) => wrap(make(text)) }))
  return [
    ...here,
    ...Object.entries(properties).flatMap(([name, inner]) => within(name, inner, (created) => ({ [name]: created }))),
    ...(items ? within('0', items, (created) => [created]) : []),
    ...(typeof additionalProperties === 'object'
      ? within(key, additionalProperties, (created) => ({ [key]: created }))
      : []),
    ...anyOf.flatMap((one) => textPlaces(one, path)),
  ]
}

const ErrorBody = z.object({
  error: z.looseObject({ name: z.string(), fields: z.array(z.object({ field: z.string() })).optional() }),
})

describe('the Admin API', () => {
  const { paths } = Document.parse(describeAdminApi('https://console.example.com'))
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
  const fill = (path: string, values: Readonly<Record<string, string>> = {}) =>
    path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      const usual: Record<string, string> = { account: site.account, site_id: site.site_id, provider: 'search' }
      return values[name] ?? usual[name] ?? 'some'
    })

  test.each(operations)('$method $path rejects both in every text', async ({ method, path, operation }) => {
    for (const [name, text, encoded] of hostile) {
      for (const parameter of operation.parameters.filter((one) => one.in === 'path')) {
        const response = await managed.operator(method, fill(path, { [parameter.name]: encoded }), bodyFor(method))
        expect([400, 404, 428], `${name} in the path at ${parameter.name}`).toContain(response.status)
      }
      for (const parameter of operation.parameters.filter((one) => one.in === 'query')) {
        const response = await managed.operator(method, `${fill(path)}?${parameter.name}=${encoded}`)
        expect(response.status, `${name} in the query at ${parameter.name}`).toBe(400)
      }
      const schemas = Object.values(operation.requestBody?.content ?? {}).map(({ schema }) => schema)
      for (const { path: fieldPath, make } of schemas.flatMap((schema) => textPlaces(schema))) {
        const response = await managed.operator(method, fill(path), make(text), 1)
        const at = fieldPath.join('.')
        expect(response.status, `${name} in the body at ${at}`).toBe(400)
        const fields = ErrorBody.parse(response.body).error.fields?.map(({ field }) => field) ?? []
        expect(
          fields.some((field) => at.startsWith(field)),
          `${name} in the body at ${at}: ${fields}`,
        ).toBe(true)
      }
    }
  })

  const bodyFor = (method: string) => (['POST', 'PUT', 'PATCH'].includes(method) ? {} : undefined)
})

test.each(Object.values(signInRoutes))('$path rejects both in every text', async ({ path, input }) => {
  const { url } = managed.serviceStack.console
  const schema = Schema.parse(z.toJSONSchema(input, { io: 'input' }))
  for (const [name, text] of hostile)
    for (const { path: place, make } of textPlaces(schema)) {
      const { status } = await fetch(url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-console': '1', origin: url },
        body: JSON.stringify(make(text)),
      })
      expect(status, `${name} at ${place.join('.')}`).toBe(400)
    }
})
