import { hash } from 'node:crypto'
import { expect, test } from 'vitest'
import { Look } from '#admin-api'
import { actual, look, planFor } from '../test/plan-fixture.ts'
import type { Actual, ActualSite } from './actual.ts'

const [logoId, faviconId] = ['l'.repeat(22), 'f'.repeat(22)]
const toDataUrl = (content: Buffer) => `data:image/png;base64,${content.toString('base64')}`
const uploaded = Buffer.alloc(12_000, 'uploaded')
const encoded = Buffer.alloc(4_100, 'encoded')
const another = Buffer.alloc(999, 'another')

/** The site after a look was published, with the stored picture `encoded` for each picture. */
function withPublished(theme: object, words: Look['words'] = {}, state: Partial<ActualSite['look']> = {}): Actual {
  const published = Look.parse({ theme, words })
  const stored = { picture: toDataUrl(encoded), source_hash: hash('sha256', uploaded) }
  return actual({
    look: { ...look, draft: published, published, published_version: 1, revision: 4, ...state },
    pictures: new Map([logoId, faviconId].map((id) => [id, stored])),
  })
}

test('the look stays unchanged without the section', () => {
  expect(planFor({}, withPublished({ radius: 2 }))).toMatchObject({ steps: [], notes: [] })
})

test('a default look equals one that was never published', () => {
  expect(planFor({ look: { theme: {} } }).steps).toEqual([])
  expect(planFor({ look: { theme: { radius: 8 }, words: { ja: {} } } }).steps).toEqual([])
})

test('the first look is created with the fields that differ from the default look', () => {
  const words = { ja: { 'choice.heading': 'ようこそ' } }
  const { steps } = planFor({ look: { theme: { radius: 2 }, words } })
  expect(steps).toMatchObject([
    {
      procedure: 'saveLook',
      kind: 'create',
      subject: 'look demo/shop',
      path: 'accounts.demo.sites.shop.look',
      revision: 0,
      input: { account: 'demo', site_id: 'shop', ...Look.parse({ theme: { radius: 2 }, words }), publish: true },
      changes: [
        { field: 'theme.radius', before: 8, after: 2 },
        { field: 'words.ja.choice.heading', before: undefined, after: 'ようこそ' },
      ],
    },
  ])
})

test('a change lists colors, words and removed words by path, and has the revision that was read', () => {
  const light = { page: '#ffffff', card: '#ffffff', text: '#000000', accent: '#0000ff' }
  const there = withPublished({ light }, { ja: { 'choice.heading': 'ようこそ' }, en: { 'choice.heading': 'Hello' } })
  const file = { theme: { light: { ...light, accent: '#B00020' } }, words: { en: { 'choice.heading': 'Welcome' } } }
  expect(planFor({ look: file }, there).steps).toMatchObject([
    {
      kind: 'change',
      revision: 4,
      changes: [
        { field: 'theme.light.accent', before: '#0000ff', after: '#b00020' },
        { field: 'words.ja.choice.heading', before: 'ようこそ', after: null },
        { field: 'words.en.choice.heading', before: 'Hello', after: 'Welcome' },
      ],
    },
  ])
})

test.each([
  ['that was uploaded', toDataUrl(uploaded)],
  ['that is stored', toDataUrl(encoded)],
  ['with the ID of the stored one', logoId],
])('a picture %s needs no step', (_what, logo) => {
  expect(planFor({ look: { theme: { logo } } }, withPublished({ logo: logoId })).steps).toEqual([])
})

test('an equal picture is sent by its ID, and another one as it is', () => {
  const there = withPublished({ logo: logoId, favicon: faviconId })
  const theme = { logo: toDataUrl(uploaded), favicon: toDataUrl(another), background: toDataUrl(another) }
  const [step] = planFor({ look: { theme } }, there).steps
  expect(step).toMatchObject({
    input: { theme: { logo: logoId, favicon: toDataUrl(another), background: toDataUrl(another) } },
    changes: [
      { field: 'theme.favicon', before: 'picture of 5 kB', after: 'picture of 1 kB' },
      { field: 'theme.background', before: null, after: 'picture of 1 kB' },
    ],
  })
})

test('a picture is removed', () => {
  const [step] = planFor({ look: { theme: {} } }, withPublished({ logo: logoId })).steps
  expect(step).toMatchObject({
    input: { theme: { logo: null } },
    changes: [{ field: 'theme.logo', before: 'picture of 5 kB', after: null }],
  })
})

test('a picture of another ID is sent by that ID', () => {
  const other = 'o'.repeat(22)
  const [step] = planFor({ look: { theme: { logo: other } } }, withPublished({ logo: logoId })).steps
  expect(step).toMatchObject({
    input: { theme: { logo: other } },
    changes: [{ field: 'theme.logo', before: 'picture of 5 kB', after: `picture ${other}` }],
  })
})

test('a note says that a draft is replaced, only if the look changes', () => {
  const there = withPublished({}, {}, { changed: true })
  expect(planFor({ look: { theme: {} } }, there)).toMatchObject({ steps: [], notes: [] })
  expect(planFor({ look: { theme: { radius: 0 } } }, there).notes).toEqual([
    'look demo/shop has a draft that is not published. apply replaces the draft.',
  ])
})

test('a new site gets its look after it is created, with the revision that it has then', () => {
  const file = { name: 'Shop', kind: 'production', look: { theme: { radius: 0 } } }
  const { steps } = planFor(file, new Map())
  expect(steps.map(({ procedure }) => procedure)).toEqual(['createAccount', 'createSite', 'saveLook'])
  expect(steps.at(-1)).not.toHaveProperty('revision')
})
