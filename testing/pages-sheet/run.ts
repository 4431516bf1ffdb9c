import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { builtInLoginProviders, Look, previewPages } from '#contracts'
import { createStep } from '../../deploy/local/progress.ts'
import { root } from '../../deploy/local/settings.ts'
import { pageStatuses } from '../../services/provider-auth/pages/page-statuses.ts'
import { renderSamplePage } from '../../services/provider-auth/pages/preview/sample-page.ts'
import { builtInLanguages } from '../../services/provider-auth/texts/page-languages.ts'
import { openBrowser, openContext } from '../browser.ts'
import { themes } from './themes.ts'

/**
 * `npm run pages:sheet`: draws every page that end users see, in every language and several themes, on phones, and the choice
 * of providers on desktops. A developer looks through the pictures after a change of pages, texts or themes.
 */
const directory = join(root, '.local/pages-sheet')
const phone = { width: 390, height: 844 }
const desktop = { width: 1_280, height: 800 }
const schemes = ['light', 'dark'] as const

const samples = [
  ...previewPages.filter((page) => page !== 'error').map((page) => ({ page, error: undefined })),
  ...Object.keys(pageStatuses).map((error) => ({ page: 'error' as const, error })),
]
const branding = {
  name: 'Leaf & Kettle',
  start_url: 'https://shop.example.com',
  provider_order: [],
  provider_names: {},
}
const choices = builtInLoginProviders.map((provider) => ({
  provider,
  site: 1,
  account: 'demo',
  site_id: 'shop',
  login_provider_identifier: provider,
  definition: null,
}))

const step = createStep(new AbortController().signal)
rmSync(directory, { recursive: true, force: true })
mkdirSync(directory, { recursive: true })
const browser = await openBrowser()
try {
  for (const language of builtInLanguages.tags)
    await step(language, async (note) => {
      for (const [name, theme] of Object.entries(themes))
        for (const scheme of schemes) {
          note(`${name}, ${scheme}`)
          const look = Look.parse({ theme, words: {} })
          const site = { branding, look, choices, languages: builtInLanguages, terms: [] }
          const pages = samples.map(({ page, error }) => ({
            title: error ?? page,
            html: renderSamplePage({ page, error, language, scheme, request_id: crypto.randomUUID() }, site),
          }))
          await draw(`${language}-${name}-${scheme}`, pages)
        }
    })
} finally {
  await browser.close()
}
console.log(`The sheets are in ${directory}.`)

interface SamplePage {
  readonly title: string
  readonly html: string
}

/** Draws pages next to each other, the first also on a desktop. */
async function draw(name: string, pages: readonly SamplePage[]): Promise<void> {
  const context = await openContext(browser)
  const sheet = await context.newPage()
  await sheet.setViewportSize({ width: 7 * (phone.width + 16), height: 4_600 })
  const [first] = pages
  const frames = [
    ...(first === undefined ? [] : [frameOf(first, desktop)]),
    ...pages.map((page) => frameOf(page, phone)),
  ]
  const style =
    'body{margin:8px;display:flex;flex-wrap:wrap;gap:12px;font:14px sans-serif}iframe{border:1px solid #999}'
  const html = `<!doctype html><meta charset="utf-8"><title>${name}</title><style>${style}</style>${frames.join('')}`
  writeFileSync(join(directory, `${name}.html`), html)
  await sheet.setContent(html)
  await sheet.screenshot({ path: join(directory, `${name}.png`), fullPage: true })
  await context.close()
}

function frameOf({ title, html }: SamplePage, { width, height }: { width: number; height: number }): string {
  const escaped = html.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
  return `<figure style="margin:0"><figcaption>${title}</figcaption><iframe sandbox width="${width}" height="${height}" srcdoc="${escaped}"></iframe></figure>`
}
