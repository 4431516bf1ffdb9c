import { expect, test } from 'vitest'
import { actual, planFor, sections } from '../../test/plan-fixture.ts'

const switchedOn = actual({
  sections: { ...sections, user_search: { fields: ['email', 'name'], indexing: null, revision: 3 } },
})

test('the fields by which users are found change with the revision that was read', () => {
  const [step] = planFor({ user_search: { fields: ['email'] } }, switchedOn).steps
  expect(step).toEqual({
    procedure: 'changeUserSearch',
    kind: 'change',
    subject: 'user search demo/shop',
    path: 'accounts.demo.sites.shop.user_search',
    input: { account: 'demo', site_id: 'shop', fields: ['email'] },
    revision: 3,
    changes: [{ field: 'fields', before: ['email', 'name'], after: ['email'] }],
  })
})

test('nothing changes without the section, or with the same fields in another order', () => {
  expect(planFor({}, switchedOn).steps).toEqual([])
  expect(planFor({ user_search: { fields: ['name', 'email'] } }, switchedOn).steps).toEqual([])
  expect(planFor({ user_search: { fields: [] } }).steps).toEqual([])
})
