import { expect, test } from 'vitest'
import { actual, planFor, sections } from '../../test/plan-fixture.ts'

const pair = { prefixItems: [{ type: 'string' }, { type: 'number' }] }
const plan = { type: 'object', properties: { plan: { enum: ['free', 'premium'] } } }
const withSchemas = actual({
  sections: {
    ...sections,
    metadata_schemas: { user_metadata_schema: pair, app_metadata_schema: plan, revision: 3 },
  },
})

test('a schema is removed with the revision that was read, and the other one stays', () => {
  const [step] = planFor({ metadata_schemas: { user_metadata_schema: null } }, withSchemas).steps
  expect(step).toEqual({
    procedure: 'changeMetadataSchemas',
    kind: 'change',
    subject: 'metadata schemas demo/shop',
    path: 'accounts.demo.sites.shop.metadata_schemas',
    input: { account: 'demo', site_id: 'shop', user_metadata_schema: null },
    revision: 3,
    changes: [{ field: 'user_metadata_schema', before: JSON.stringify(pair), after: null }],
  })
})

test('nothing changes without the section, or with the keys of a schema in another order', () => {
  const reordered = { properties: plan.properties, type: 'object' }
  expect(planFor({}, withSchemas).steps).toEqual([])
  expect(planFor({ metadata_schemas: { app_metadata_schema: reordered } }, withSchemas).steps).toEqual([])
  expect(planFor({ metadata_schemas: { app_metadata_schema: null } }).steps).toEqual([])
})

test('the order of a list in a schema is a change', () => {
  const reversed = { prefixItems: pair.prefixItems.toReversed() }
  expect(planFor({ metadata_schemas: { user_metadata_schema: reversed } }, withSchemas).steps).toHaveLength(1)
})
