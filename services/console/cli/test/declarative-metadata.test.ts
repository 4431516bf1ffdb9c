import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { accountWith, prepareFileCommands } from './declarative-harness.ts'
import { socialLogin } from './harness.ts'

const { operator, apply, plan } = await prepareFileCommands()

// A value of a schema can look like a reference to a secret.
const schema = {
  properties: { plan: { enum: ['free', { from_file: 'plan.txt' }] }, share: { maximum: 0.5 } },
  required: ['plan'],
}

async function exportAccount(account: string) {
  const { code, out, err } = await socialLogin(['export', '--account', account], { environment: operator })
  expect(code, err).toBe(0)
  return { text: out, site: parse(out).accounts[account].sites.shop }
}

test('schemas of metadata are applied once, exported, and removed', async () => {
  const content = accountWith('schemas', { metadata_schemas: { app_metadata_schema: schema } })
  const created = await apply(content, ['--yes'])
  expect(created.code, created.err).toBe(0)
  expect(created.err).toContain(`+ metadata schemas schemas/shop\n    app_metadata_schema: ${JSON.stringify(schema)}\n`)
  expect(await plan(content)).toMatchObject({ code: 0 })

  const exported = await exportAccount('schemas')
  expect(exported.site.metadata_schemas).toEqual({ app_metadata_schema: schema })
  expect(await plan(exported.text)).toMatchObject({ code: 0 })

  const without = accountWith('schemas', { metadata_schemas: { app_metadata_schema: null } })
  const removed = await apply(without, ['--yes'])
  expect(removed.code, removed.err).toBe(0)
  expect((await exportAccount('schemas')).site).not.toHaveProperty('metadata_schemas')
})

test('a schema that cannot be used fails with its place in the file', async () => {
  const unusable = { properties: { plan: { pattern: '^a' } } }
  const content = accountWith('unusable-schema', { metadata_schemas: { user_metadata_schema: unusable } })
  const { code, err } = await apply(content, ['--yes'])
  expect(code).not.toBe(0)
  expect(err).toContain('pattern')
  expect(err).toContain('in the files at accounts.unusable-schema.sites.shop.metadata_schemas.')
})

test('a number that would be rounded is rejected with file and line', async () => {
  const text = `accounts:
  rounded:
    name: Rounded
    sites:
      shop:
        metadata_schemas:
          app_metadata_schema: { properties: { limit: { maximum: 9007199254740993 } } }
`
  const { code, err } = await plan(text)
  expect(code).toBe(2)
  expect(err).toMatch(/\.yaml:7: The number at line 7 has more digits than can be stored exactly\./)
})
