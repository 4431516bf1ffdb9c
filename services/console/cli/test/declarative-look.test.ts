import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { openForTest } from '#testing'
import { encodePng } from '../../pictures/encode-png.ts'
import { drawPixels } from '../../test/picture-files.ts'
import { accountWith, prepareFileCommands } from './declarative-harness.ts'
import { socialLogin } from './harness.ts'

const { serviceStack, operator, apply, plan } = await prepareFileCommands()

/** A PNG with a gradient, whose pixels change when it is encoded as JPEG. */
function createPicture(width: number): string {
  const png = encodePng(drawPixels(width, 20, (x, y) => [(x >> 2) * 28, (y >> 2) * 44, 0]))
  return `data:image/png;base64,${png.toString('base64')}`
}

async function exportAccount(account: string) {
  const { code, out, err } = await socialLogin(['export', '--account', account], { environment: operator })
  expect(code, err).toBe(0)
  return { text: out, site: parse(out).accounts[account].sites.shop }
}

test('hosts and a look are applied once, exported, and applied to another site', async () => {
  const [logo, background] = [createPicture(40), createPicture(60)]
  const light = { page: '#fff0f0', card: '#ffffff', text: '#301010', accent: '#b00020' }
  const words = { ja: { 'choice.heading': '{application} へようこそ' } }
  const hosts = { 'login.pages.example': {}, 'api.pages.example': { purpose: 'api' } }
  const look = { theme: { light, header: 'logo', logo, background }, words }
  const inactivityRule = { delete_after_days: 365, notice_days: 14 }
  const content = accountWith('pages', { hosts, look, account_page: true, inactivity_rule: inactivityRule })

  const created = await apply(content, ['--yes'])
  expect(created.code, created.err).toBe(0)
  expect(created.err).toContain('+ host pages/shop/login.pages.example\n    purpose: login\n')
  expect(created.err).toContain('+ look pages/shop\n    theme.light.page: #fff0f0\n')
  expect(created.err).toContain('theme.logo: picture of 1 kB')
  expect(created.err).toContain('words.ja.choice.heading: {application} へようこそ')
  expect(created.err).toContain('host pages/shop/login.pages.example is not active until it is proven.')
  expect(created.err).toContain('+ inactivity rule pages/shop\n')
  expect(created.err).not.toContain('base64')

  const repeated = await apply(content)
  expect(repeated.err).toContain('No changes.')
  const exported = await exportAccount('pages')
  expect(exported.site).toMatchObject({
    hosts: { 'login.pages.example': { purpose: 'login' }, 'api.pages.example': { purpose: 'api' } },
    look: { theme: { light, header: 'logo', radius: 8, logo: expect.stringMatching(/^data:image\/png/) }, words },
  })
  expect(created.err).toContain('~ account page pages/shop\n    account_page: no → yes\n')
  expect(exported.site).toMatchObject({
    account_page: true,
    inactivity_rule: { ...inactivityRule, include_mapped: false },
  })
  expect(exported.site).not.toHaveProperty('shared_host')
  expect(exported.site.look.theme.background).toMatch(/^data:image\/jpeg/)
  expect(await plan(exported.text)).toMatchObject({ code: 0 })

  const copied = await apply(accountWith('copied-pages', exported.site), ['--yes'])
  expect(copied.code, copied.err).toBe(0)
  expect((await plan(accountWith('copied-pages', exported.site))).out).toContain('No changes.')
  const copy = await exportAccount('copied-pages')
  expect(await plan(copy.text)).toMatchObject({ code: 0 })
  const pictures = { logo: expect.any(String), background: expect.any(String) }
  const theme = { ...exported.site.look.theme, ...pictures }
  expect(copy.site).toEqual({ ...exported.site, look: { ...exported.site.look, theme } })

  const changed = {
    ...content.accounts.pages?.sites.shop,
    hosts: {},
    look: { ...look, theme: { ...look.theme, logo: null, header: 'name' } },
  }
  const fewer = await apply(accountWith('pages', changed), ['--yes', '--prune'])
  expect(fewer.err).toContain('theme.logo: picture of 1 kB → –')
  expect(fewer.err).toContain('0 to create, 1 to change, 2 to remove.')
  const after = await exportAccount('pages')
  expect(after.site).toMatchObject({
    hosts: {},
    look: { theme: { logo: null, background: exported.site.look.theme.background } },
  })
})

test('a site leaves the shared host once its own host is active', async () => {
  const content = accountWith('own-host', { hosts: { 'login.own-host.example': {} }, shared_host: false })
  const early = await apply(content, ['--yes'])
  expect(early.code, early.err).toBe(0)
  expect(early.err).toContain('shared host own-host/shop stays on: a login host of the site must be proven first.')

  await using database = openForTest(serviceStack.database_urls.provider_auth)
  await database.knex('site_hosts').where({ account: 'own-host' }).update({ state: 'active' })
  const applied = await apply(content, ['--yes'])
  expect(applied.err).toContain('~ shared host own-host/shop\n    shared_host: yes → no\n')
  expect(applied.code, applied.err).toBe(0)
  expect(await plan(content)).toMatchObject({ code: 0 })
  const { site } = await exportAccount('own-host')
  expect(site.shared_host).toBe(false)
  const back = { ...site, shared_host: true }
  expect(await apply(stringify(accountWith('own-host', back)), ['--yes'])).toMatchObject({ code: 0 })
})

test('an invalid look and an invalid host name are rejected with their paths', async () => {
  const light = { page: '#ffffff', card: '#ffffff', text: '#eeeeee', accent: '#000000' }
  const site = { look: { theme: { light } }, hosts: { 'https://a.example': {} } }
  const { code, err } = await plan(accountWith('invalid-pages', site))
  expect(err).toMatch(/shop\.look\.theme\.light\.text .*has a contrast of 1\.1:1 with the card; it needs 4\.5:1/)
  expect(err).toContain('shop.hosts.https://a.example is not an allowed name')
  expect(code).toBe(2)
})

test('the look in the documentation is applied', async () => {
  const page = await readFile(new URL('../../../../docs/use/command-line.md', import.meta.url), 'utf8')
  const example = /```yaml\n(accounts:(?:(?!```)[\s\S])*\n {8}look:[\s\S]*?)```/.exec(page)?.[1] ?? ''
  const { sites } = parse(example).accounts.demo
  const applied = await apply(accountWith('documented-look', sites.shop), ['--yes'])
  expect(applied.code, applied.err).toBe(0)
  expect(applied.err).toContain('theme.light.accent: #b00020')
})
