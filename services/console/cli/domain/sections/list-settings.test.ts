import { expect, test } from 'vitest'
import { actual, planFor, sections } from '../../test/plan-fixture.ts'

const switchedOn = actual({
  sections: {
    ...sections,
    user_search: { fields: ['email', 'name'], indexing: null, revision: 3 },
    metadata_search: { paths: ['app_metadata.plan', 'user_metadata.a'], indexing: null, revision: 3 },
  },
})

const settings = [
  {
    section: 'user_search',
    procedure: 'changeUserSearch',
    name: 'user search',
    field: 'fields',
    before: ['email', 'name'],
    after: ['email'],
  },
  {
    section: 'metadata_search',
    procedure: 'changeMetadataSearch',
    name: 'metadata search',
    field: 'paths',
    before: ['app_metadata.plan', 'user_metadata.a'],
    after: ['app_metadata.plan'],
  },
] as const

test.each(settings)('$name changes with the revision that was read', (setting) => {
  const { section, procedure, name, field, before, after } = setting
  const { steps } = planFor({ [section]: { [field]: after } }, switchedOn)
  expect(steps).toEqual([
    {
      procedure,
      kind: 'change',
      subject: `${name} demo/shop`,
      path: `accounts.demo.sites.shop.${section}`,
      input: { account: 'demo', site_id: 'shop', [field]: after },
      revision: 3,
      changes: [{ field, before, after }],
    },
  ])
})

test.each(settings)('$name stays without the section, or with the same values in another order', (setting) => {
  const { section, field, before } = setting
  expect(planFor({}, switchedOn).steps).toEqual([])
  expect(planFor({ [section]: { [field]: before.toReversed() } }, switchedOn).steps).toEqual([])
  expect(planFor({ [section]: { [field]: [] } }).steps).toEqual([])
})
