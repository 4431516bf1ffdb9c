import { expect, test } from 'vitest'
import { actual, planFor, sections } from '../../test/plan-fixture.ts'

const paths = ['app_metadata.plan', 'user_metadata.department']
const switchedOn = actual({ sections: { ...sections, metadata_search: { paths, indexing: null, revision: 3 } } })

test('the metadata by which users are filtered changes with the revision that was read', () => {
  const [step] = planFor({ metadata_search: { paths: ['app_metadata.plan'] } }, switchedOn).steps
  expect(step).toEqual({
    procedure: 'changeMetadataSearch',
    kind: 'change',
    subject: 'metadata search demo/shop',
    path: 'accounts.demo.sites.shop.metadata_search',
    input: { account: 'demo', site_id: 'shop', paths: ['app_metadata.plan'] },
    revision: 3,
    changes: [{ field: 'paths', before: paths, after: ['app_metadata.plan'] }],
  })
})

test('nothing changes without the section, or with the same paths in another order', () => {
  expect(planFor({}, switchedOn).steps).toEqual([])
  expect(planFor({ metadata_search: { paths: paths.toReversed() } }, switchedOn).steps).toEqual([])
  expect(planFor({ metadata_search: { paths: [] } }).steps).toEqual([])
})
