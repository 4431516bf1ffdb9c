import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Managed, newAccount, openManaged, type SendRequest } from './managed.ts'

let managed: Managed
let editor: SendRequest
let account: string
let site: number
let path: string
beforeAll(async () => {
  managed = await openManaged()
})
beforeEach(async () => {
  account = newAccount()
  editor = await managed.createClient(account, 'editor')
  const { identity, call } = managed.serviceStack
  ;({ site } = await identity.registerSite({ account, site_id: 'main', name: 'Main' }, call()))
  path = `/accounts/${account}/sites/main`
})
afterAll(() => managed[Symbol.asyncDispose]())

const plan = {
  type: 'object',
  properties: { plan: { enum: ['free', 'premium'] }, limits: { $ref: '#/$defs/limits' } },
  additionalProperties: false,
  $defs: { limits: { type: 'array', items: { type: 'integer' }, maxItems: 3 } },
}

async function createUser(): Promise<string> {
  const { identity, call } = managed.serviceStack
  return (await identity.createUser({ site, links: [] }, call())).user.identifier
}

const metadataOf = (identifier: string) => `${path}/users/${identifier}/metadata`

async function saveSchemas(schemas: object) {
  const { headers } = await editor('GET', `${path}/metadata-schemas`)
  const revision = Number(headers.get('etag')?.replaceAll('"', ''))
  return editor('PATCH', `${path}/metadata-schemas`, schemas, revision)
}

const rejected = (field: string, message: string) => ({
  status: 400,
  body: { error: { fields: [{ field, message: expect.stringContaining(message) }] } },
})

test('changes of metadata must match the schema; stored metadata and the other part stay', async () => {
  const identifier = await createUser()
  const before = { app_metadata: { plan: 'personal-old' }, user_metadata: { a: 1 } }
  expect(await editor('PATCH', metadataOf(identifier), before, 0)).toMatchObject({ status: 200 })
  const saved = { user_metadata_schema: null, app_metadata_schema: plan, revision: 1 }
  expect(await saveSchemas({ app_metadata_schema: plan })).toMatchObject({ status: 200, body: saved })
  expect(await editor('GET', `${path}/metadata-schemas`)).toMatchObject({ body: saved })

  expect(await editor('PATCH', metadataOf(identifier), { user_metadata: { a: 2 } }, 1)).toMatchObject({ status: 200 })
  const change = (metadata: object) => editor('PATCH', metadataOf(identifier), { app_metadata: metadata }, 2)
  for (const [metadata, violation] of [
    [{ plan: 'personal-new' }, 'breaks the rule enum of the schema at /plan'],
    [{ plan: 'free', 'a/b': 1 }, 'breaks the rule additionalProperties of the schema at /a~1b'],
    [{ plan: 'free', limits: [1, 'personal'] }, 'breaks the rule type of the schema at /limits/1'],
  ] as const)
    expect(await change(metadata)).toMatchObject(rejected('app_metadata', violation))
  expect(await change({ plan: 'free', limits: [1] })).toMatchObject({ status: 200 })

  const { body } = await (await managed.createClient(account, 'owner'))('GET', `/accounts/${account}/audit`)
  expect(JSON.stringify(body)).toContain('changeMetadataSchemas')
  expect(JSON.stringify(body)).not.toContain('personal')

  expect(await saveSchemas({ app_metadata_schema: null })).toMatchObject({ body: { revision: 2 } })
  expect(await editor('PATCH', metadataOf(identifier), { app_metadata: { any: 1 } }, 3)).toMatchObject({ status: 200 })
})

test('a merge does not write what the schema rejects, nor does an import', async () => {
  const { identity, call } = managed.serviceStack
  const [source, destination] = [await createUser(), await createUser()]
  await editor('PATCH', metadataOf(source), { app_metadata: { color: 'red' } }, 0)
  await editor('PATCH', metadataOf(destination), { app_metadata: { plan: 'free' } }, 0)
  await saveSchemas({ app_metadata_schema: plan })
  const preview = await identity.previewMerge({ site, source, destination }, call())
  expect(preview.merged.metadata?.app_metadata).toEqual({ plan: 'free' })
  const users = { source: { identifier: source }, destination: { identifier: destination } }
  await identity.mergeUsers({ site, ...users, nomerge: false }, call())
  expect(await identity.readMetadata({ site, identifier: destination }, call())).toMatchObject({
    app_metadata: { plan: 'free' },
    revision: 1,
  })
  const record = { primary_key: 'imported', app_metadata: { plan: 'gold' } }
  const owner = await managed.createClient(account, 'owner')
  const started = await owner('POST', `${path}/imports`, { file_name: 'users.ndjson' })
  const importPath = `${path}/imports/${Reflect.get(Object(started.body), 'import_id')}`
  await owner('PUT', `${importPath}/batches/1`, { first_line: 1, records: [record] })
  expect(JSON.stringify((await owner('GET', `${importPath}/rejections`)).body)).toContain(
    'breaks the rule enum of the schema at /plan',
  )
})

const chain = Object.fromEntries(
  Array.from({ length: 30 }, (_, index) => {
    const next = { $ref: `#/$defs/s${index + 1}` }
    return [`s${index}`, { allOf: [next, next] }]
  }),
)

test.each([
  ['a keyword that does not exist', { requierd: ['plan'] }, '/requierd: is not a keyword'],
  ['a wrong value', { type: 'objekt' }, '/type: must'],
  ['another draft', { $schema: 'http://json-schema.org/draft-07/schema#' }, '/$schema: must be'],
  ['a regular expression', { properties: { a: { pattern: '(a+)+$' } } }, '/properties/a/pattern: is not supported'],
  ['regular expressions as names', { patternProperties: { a: {} } }, '/patternProperties: is not supported'],
  ['another document', { $ref: 'https://example.com/schema' }, '/$ref: must refer to a definition'],
  ['a recursion', { $defs: { a: { items: { $ref: '#/$defs/a' } } }, $ref: '#/$defs/a' }, 'refers to itself'],
  ['an exponential size', { $ref: '#/$defs/s0', $defs: { ...chain, s30: {} } }, 'has more than 2000 values'],
  ['too many bytes', { description: 'x'.repeat(16_384) }, 'at most 16384 bytes'],
])('a schema with %s is rejected with its place', async (_, schema, message) => {
  expect(await saveSchemas({ user_metadata_schema: schema })).toMatchObject(rejected('user_metadata_schema', message))
})

test('a property may have the name of an unsupported keyword', async () => {
  const schema = { properties: { pattern: { const: { pattern: '(a+)+' } }, $ref: true } }
  expect(await saveSchemas({ user_metadata_schema: schema })).toMatchObject({ status: 200 })
})

test('viewers read schemas and do not change them', async () => {
  const viewer = await managed.createClient(account, 'viewer')
  expect(await viewer('GET', `${path}/metadata-schemas`)).toMatchObject({ status: 200 })
  expect(await viewer('PATCH', `${path}/metadata-schemas`, {}, 1)).toMatchObject({ status: 403 })
})
