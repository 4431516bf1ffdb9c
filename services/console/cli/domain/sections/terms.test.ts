import { expect, test } from 'vitest'
import { actual, planFor, sections } from '../../test/plan-fixture.ts'

const terms = {
  name: 'terms',
  kind: 'required' as const,
  version: 2,
  minimum_version: 1,
  texts: { en: { title: 'Terms of use', url: 'https://a.example/terms' }, ja: { title: '利用規約', url: null } },
}
const newsletter = {
  name: 'newsletter',
  kind: 'optional' as const,
  version: 1,
  minimum_version: 1,
  texts: { en: { title: 'May we write to you?', url: null } },
}
const withTerms = actual({ sections: { ...sections, terms: { documents: [terms, newsletter], revision: 4 } } })

test('a new version is planned with the revision that was read, and only what differs is listed', () => {
  const documents = [{ ...terms, version: 3, minimum_version: 3, texts: { en: terms.texts.en } }, newsletter]
  const [step] = planFor({ terms: { documents } }, withTerms).steps
  expect(step).toEqual({
    procedure: 'changeTerms',
    kind: 'change',
    subject: 'terms demo/shop',
    path: 'accounts.demo.sites.shop.terms',
    input: { account: 'demo', site_id: 'shop', documents },
    revision: 4,
    changes: [
      { field: 'terms.version', before: 2, after: 3 },
      { field: 'terms.minimum_version', before: 1, after: 3 },
      { field: 'terms.texts.ja.title', before: '利用規約', after: null },
    ],
  })
})

test('the order of documents is a change', () => {
  const [step] = planFor({ terms: { documents: [newsletter, terms] } }, withTerms).steps
  expect(step?.changes).toEqual([{ field: 'documents', before: 'terms, newsletter', after: 'newsletter, terms' }])
})

test('nothing changes without the section, with languages in another order, or with defaults that are left out', () => {
  const { minimum_version: _, ...written } = terms
  const reordered = { ...written, texts: { ja: { title: '利用規約' }, en: terms.texts.en } }
  expect(planFor({}, withTerms).steps).toEqual([])
  expect(planFor({ terms: { documents: [reordered, newsletter] } }, withTerms).steps).toEqual([])
  expect(planFor({ terms: { documents: [] } }).steps).toEqual([])
})
