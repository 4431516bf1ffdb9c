import { beforeEach, describe, expect, test } from 'vitest'
import { Look, type SiteLook } from '#contracts'
import { type SeededSite, seedSite, sharedStack } from '#testing'
import { pageStatuses } from '../pages/page-statuses.ts'
import { builtInLanguages } from '../texts/page-languages.ts'
import { buildAuthorizeUrl, logInWith, openTestBrowser } from './browser.ts'

const serviceStack = await sharedStack()
const { provider_auth, call } = serviceStack
let site: SeededSite
beforeEach(async () => {
  site = await seedSite(serviceStack)
})

const pngStart = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
const toDataUrl = (content: Buffer) => `data:image/png;base64,${content.toString('base64')}`
const png = toDataUrl(pngStart)

const lookOf = (theme: object, words: Look['words'] = {}) => Look.parse({ theme, words })
const change = (look: Look, expectedRevision = 0) =>
  provider_auth.changeLook({ site: site.site, expected_revision: expectedRevision, look }, call())
const publish = ({ revision, draft }: SiteLook) =>
  provider_auth.changeLook({ site: site.site, expected_revision: revision, look: draft, publish_by: 'hanako' }, call())
const sourceHash = 'a'.repeat(64)
const store = async (picture: string) =>
  (await provider_auth.addPicture({ site: site.site, picture, source_hash: sourceHash }, call())).picture
const openChoice = async (headers: Record<string, string> = {}) => {
  const url = new URL(buildAuthorizeUrl(site, 'search'))
  url.pathname = '/oauth2/authorize'
  return (await fetch(url, { headers })).text()
}
const readStylesheet = async (page: string) => {
  const path = /href="(\/oauth2\/looks\/[^"]+)"/.exec(page)?.[1]
  if (path === undefined) throw new Error('The page has no stylesheet of a look.')
  const response = await fetch(serviceStack.auth + path)
  return { text: await response.text(), caching: response.headers.get('cache-control') }
}

describe('a look', () => {
  test('is shown to end users once it is published, on each page', async () => {
    const draft = await change(
      lookOf({ light: { page: '#fff0f0', card: '#ffffff', text: '#301010', accent: '#b00020' } }),
    )
    expect(draft).toMatchObject({ changed: true, published_version: null, revision: 1 })
    expect(await openChoice()).not.toContain('/oauth2/looks/')
    expect(await publish(draft)).toMatchObject({ changed: false, published_version: 1 })
    const { text, caching } = await readStylesheet(await openChoice())
    expect(text).toContain('--go: #b00020;')
    expect(text).toContain('--on-go: #ffffff;')
    expect(caching).toContain('immutable')
    const error = await (await fetch(buildAuthorizeUrl(site, 'search', { redirect_uri: 'https://x.example' }))).text()
    expect(await readStylesheet(error)).toMatchObject({ text })
  })

  test('has its logo, favicon, background and links', async () => {
    const theme = {
      header: 'logo',
      logo: await store(png),
      favicon: await store(png),
      background: await store(png),
      terms_url: 'https://shop.example/{language}/terms',
      imprint_url: 'mailto:office@shop.example',
    }
    const draft = await change(lookOf(theme))
    expect(draft.draft.theme.logo).toMatch(/^[\w-]{22}$/)
    await publish(draft)
    const page = await openChoice({ 'accept-language': 'ja' })
    const { en, ja } = { en: builtInLanguages.textsIn('en'), ja: builtInLanguages.textsIn('ja') }
    expect(en.links.terms).not.toBe(ja.links.terms)
    expect(page).toContain(`<a href="https://shop.example/ja/terms">${ja.links.terms}</a>`)
    expect(page).toContain(`<link rel="icon" href="/oauth2/pictures/${draft.draft.theme.favicon}">`)
    expect(page).toContain(`alt="${site.site_id}"`)
    const logo = await fetch(`${serviceStack.auth}/oauth2/pictures/${draft.draft.theme.logo}`)
    expect([logo.status, logo.headers.get('content-type')]).toEqual([200, 'image/png'])
    expect(logo.headers.get('content-security-policy')).toContain('sandbox')
    expect((await readStylesheet(page)).text).toContain(`url("/oauth2/pictures/${draft.draft.theme.background}")`)
  })

  test('has texts of the site in their language only, with names that are escaped', async () => {
    const words = { ja: { 'choice.heading': '{application} & ようこそ', 'choice.button': '{provider} でGO' } }
    await publish(await change(lookOf({}, words)))
    const page = await openChoice({ 'accept-language': 'ja' })
    expect(page).toContain('<h1>\u2068test\u2069 &amp; ようこそ</h1>')
    expect(page).toContain('LINE でGO')
    expect(await openChoice()).toContain('<h1>Log in to \u2068test\u2069</h1>')
  })

  test('of another site is not shown', async () => {
    await publish(await change(lookOf({ header: 'none' })))
    site = await seedSite(serviceStack)
    expect(await openChoice()).not.toContain('/oauth2/looks/')
  })

  test('that was published before can be published again', async () => {
    const first = await publish(await change(lookOf({ logo: await store(png), header: 'logo', radius: 1 })))
    const second = await publish(await change(lookOf({ radius: 2 }), first.revision))
    expect((await readStylesheet(await openChoice())).text).toContain('--radius: 2px')
    const restored = await provider_auth.restoreLook(
      { site: site.site, version: 1, expected_revision: second.revision, by: 'taro' },
      call(),
    )
    expect(restored).toMatchObject({
      published_version: 3,
      changed: false,
      draft: { theme: { radius: 1 } },
      versions: [{ version: 3, published_by: 'taro' }, { version: 2 }, { version: 1, published_by: 'hanako' }],
    })
    const page = await openChoice()
    expect((await readStylesheet(page)).text).toContain('--radius: 1px')
    const [, logo = ''] = /<img src="([^"]+)"/.exec(page) ?? []
    expect((await fetch(serviceStack.auth + logo)).status).toBe(200)
  })

  test('that changed in the meantime is not changed', async () => {
    const draft = await change(lookOf({}))
    await expect(change(lookOf({}))).rejects.toThrow('changed_meanwhile')
    await publish(draft)
    await expect(publish(draft)).rejects.toThrow('changed_meanwhile')
  })

  test('keeps only pictures that the draft or a version has', async () => {
    const first = await change(lookOf({ logo: await store(png) }))
    const { logo } = first.draft.theme
    await change(lookOf({}), first.revision)
    expect((await fetch(`${serviceStack.auth}/oauth2/pictures/${logo}`)).status).toBe(404)
  })
})

describe('a look is rejected with the field', () => {
  const rejectionOf = async (look: Look) => {
    const error: unknown = await change(look).then(
      () => undefined,
      (reason: unknown) => reason,
    )
    return error instanceof Error ? Reflect.get(error, 'fields') : undefined
  }

  test.each([
    [{ xx: { details: 'x' } }, 'words.xx', 'is no language of the pages'],
    [{ en: { 'no.such': 'x' } }, 'words.en.no.such', 'is no text of the pages'],
    [{ en: { 'choice.heading': 'Hello' } }, 'words.en.choice.heading', 'lacks the parameter application'],
    [{ en: { 'choice.more': '{name}' } }, 'words.en.choice.more', 'has the unknown parameter name'],
    [{ en: { 'choice.more': '{x' } }, 'words.en.choice.more', 'is not valid ICU MessageFormat'],
    [{ en: { 'choice.more': '<b>x</b>' } }, 'words.en.choice.more', 'it has the tag <b>'],
  ])('for the texts %j', async (words, field, reason) => {
    expect(await rejectionOf(lookOf({}, words))).toEqual([{ field, reason: expect.stringContaining(reason) }])
  })

  test('for pictures that are too large, of another type, or of another site', async () => {
    const large = toDataUrl(Buffer.concat([pngStart, Buffer.alloc(500_000)]))
    const html = toDataUrl(Buffer.from('<html>'))
    for (const picture of [large, html, png.replace('png', 'jpeg')])
      await expect(store(picture)).rejects.toThrow('invalid_parameter')
    const { draft } = await change(lookOf({ logo: await store(png) }))
    site = await seedSite(serviceStack)
    expect(await rejectionOf(lookOf({ logo: draft.theme.logo }))).toEqual([
      { field: 'theme.logo', reason: 'is no picture of this site' },
    ])
  })
})

describe('login buttons', () => {
  const namesIn = (html: string) => [...html.matchAll(/class="login-button (\w+)"/g)].map(([, name]) => name)

  test('after the n-th are behind "more"', async () => {
    await publish(await change(lookOf({ more_after: 2, buttons: 'grid' })))
    const page = await openChoice()
    const [shown = '', further = ''] = page.split('<details class="more">')
    expect(namesIn(shown)).toHaveLength(2)
    expect(namesIn(further)).toHaveLength(Object.keys(site.providers).length - 2)
    expect(further).toContain(builtInLanguages.textsIn('en').choice.more)
  })

  test('begin with the provider of the browser’s last login', async () => {
    await publish(await change(lookOf({ last_used_first: true })))
    const browser = openTestBrowser()
    await logInWith(site, 'portal', { browser, user: 'Hanako' })
    const url = new URL(buildAuthorizeUrl(site, 'search'))
    url.pathname = '/oauth2/authorize'
    expect(namesIn(await (await browser.open(url.href)).text())[0]).toBe('portal')
    expect(namesIn(await openChoice())[0]).not.toBe('portal')
  })
})

describe('a preview', () => {
  const names = () => ({ site: site.site, account: site.account, site_id: site.site_id })
  const pages = [
    ...(['choice', 'confirmation', 'logout', 'logged_out', 'form_post', 'deletion', 'account'] as const).map(
      (page) => ({ page }),
    ),
    ...Object.keys(pageStatuses).map((error) => ({ page: 'error', error }) as const),
  ]

  test.each(pages)('of $page $error has the draft, in any language, without other files', async (page) => {
    const look = lookOf({
      light: { page: '#f0fff0', card: '#ffffff', text: '#103010', accent: '#0b6b0b' },
      logo: await store(png),
      header: 'logo',
    })
    for (const language of builtInLanguages.tags) {
      const { html } = await provider_auth.previewPage({ ...names(), ...page, look, language, scheme: 'light' }, call())
      expect(html).toContain(`lang="${language}"`)
      expect(html).toContain('--go: #0b6b0b')
      expect(html).not.toMatch(/(?:href|src|srcset)="\/|url\("\//)
    }
  })
})
