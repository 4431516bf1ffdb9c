import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { accountWith, prepareFileCommands } from './declarative-harness.ts'
import { socialLogin } from './harness.ts'

const { serviceStack, operator, apply, plan } = await prepareFileCommands()

const terms = {
  name: 'terms',
  kind: 'required',
  version: 1,
  minimum_version: 1,
  texts: {
    en: { title: 'Terms of use', url: 'https://shop.example.com/{language}/terms' },
    ja: { title: '利用規約', url: null },
  },
}
const newsletter = { name: 'newsletter', kind: 'optional', version: 1, texts: { en: { title: 'Send me news' } } }

async function exportAccount(account: string) {
  const { code, out, err } = await socialLogin(['export', '--account', account], { environment: operator })
  expect(code, err).toBe(0)
  return { text: out, site: parse(out).accounts[account].sites.shop }
}

test('terms are applied once, exported, applied to another site, changed and removed', async () => {
  const content = accountWith('terms', { terms: { documents: [terms, newsletter] } })
  const created = await apply(content, ['--yes'])
  expect(created.code, created.err).toBe(0)
  expect(created.err).toContain('+ terms terms/shop\n    documents: terms, newsletter\n    terms.kind: required\n')
  expect((await plan(content)).out).toContain('No changes.')

  const exported = await exportAccount('terms')
  const stored = { ...newsletter, minimum_version: 1, texts: { en: { title: 'Send me news', url: null } } }
  expect(exported.site.terms).toEqual({ documents: [terms, stored] })
  expect((await plan(exported.text)).out).toContain('No changes.')
  const copied = await apply(accountWith('copied-terms', exported.site), ['--yes'])
  expect(copied.code, copied.err).toBe(0)
  expect((await exportAccount('copied-terms')).site).toEqual(exported.site)

  const next = { documents: [newsletter, { ...terms, version: 2, minimum_version: 2 }] }
  const changed = await apply(accountWith('terms', { terms: next }), ['--yes'])
  expect(changed.err).toContain(
    '~ terms terms/shop\n    documents: terms, newsletter → newsletter, terms\n    terms.version: 1 → 2\n    terms.minimum_version: 1 → 2\n',
  )
  const removed = await apply(accountWith('terms', { terms: { documents: [] } }), ['--yes'])
  expect(removed.code, removed.err).toBe(0)
  expect((await exportAccount('terms')).site).not.toHaveProperty('terms')
})

test('a document that cannot be used is rejected with its place in the file', async () => {
  const unusable = { ...terms, minimum_version: 2, texts: { en: { title: 'Terms', url: 'http://shop.example.com' } } }
  const { code, err } = await plan(accountWith('unusable-terms', { terms: { documents: [unusable] } }))
  expect(code).toBe(2)
  expect(err).toContain('shop.terms.documents.0.texts.en.url must be an address that begins with https://')
})

test('the command line replaces the terms from a file, and shows them and the answers of a user', async () => {
  expect(await apply(accountWith('terms-command', {}), ['--yes'])).toMatchObject({ code: 0 })
  const site = ['--account', 'terms-command', '--site-id', 'shop']
  const run = (args: readonly string[], stdin?: string) =>
    socialLogin([...args, ...site], { environment: operator, ...(stdin !== undefined && { stdin }) })
  const changed = await run(['terms', 'change', '--input', '-'], JSON.stringify({ documents: [terms] }))
  expect(changed.code, changed.err).toBe(0)
  const shown = await run(['terms', 'show', '--output', 'json'])
  expect(JSON.parse(shown.out), shown.err).toEqual({ documents: [terms], revision: 1 })

  const { identity, call } = serviceStack
  const { site: number } = await identity.readSite({ account: 'terms-command', site_id: 'shop' }, call())
  const { user } = await identity.createUser({ site: number, links: [] }, call())
  const { identifier } = user
  const answer = { document: 'terms', version: 1, accepted: true }
  await identity.recordConsents({ site: number, identifier, answers: [answer] }, call())
  const answers = await run(['users', 'consents', '--identifier', identifier, '--output', 'json'])
  expect(JSON.parse(answers.out), answers.err).toEqual({ consents: [{ ...answer, answered_at: expect.any(String) }] })
})
