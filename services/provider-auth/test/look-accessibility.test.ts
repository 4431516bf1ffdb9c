import { createRequire } from 'node:module'
import fc from 'fast-check'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { Look, previewPages, Theme } from '#contracts'
import { openBrowser, openContext } from '#testing'

import { builtInLanguages } from '../texts/page-languages.ts'
import { createSiteFixture } from './site-fixture.ts'

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

const { serviceStack, site } = createSiteFixture()
let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

const color = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`)
const palette = fc.record({ page: color, card: color, text: color, accent: color })

/** Any theme that can be saved. */
const theme = fc
  .record({
    light: palette.filter((light) => Theme.safeParse({ light }).success),
    dark: palette.filter((dark) => Theme.safeParse({ dark }).success),
    radius: fc.integer({ min: 0, max: 24 }),
    font: fc.constantFrom('system', 'serif', 'monospace'),
    card_position: fc.constantFrom('start', 'center', 'end'),
    card_width: fc.constantFrom('narrow', 'medium', 'wide'),
    buttons: fc.constantFrom('list', 'grid'),
    more_after: fc.option(fc.integer({ min: 1, max: 5 })),
    terms_url: fc.constantFrom(null, 'https://shop.example/terms'),
    imprint_url: fc.constantFrom(null, 'https://shop.example/imprint'),
  })
  .map((fields) => Theme.parse(fields))

const language = fc.constantFrom(...builtInLanguages.tags)
const scheme = fc.constantFrom('light', 'dark')
const width = fc.constantFrom(320, 390, 1_280)

/** Themes that are tried: few, because each is tried on every page. */
const numRuns = Number(process.env.LOOKS ?? 6)

const Violations = z.array(z.object({ id: z.string(), nodes: z.array(z.object({ html: z.string() })) }))

/** What axe-core finds. The colors of login buttons are those that the providers prescribe. */
async function listViolations(page: Page): Promise<readonly string[]> {
  await page.addScriptTag({ path: axe })
  const violations = Violations.parse(
    await page.evaluate(`axe.run({ rules: { region: { enabled: false } } })
      .then(({ violations }) => violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => ({ html })) })))`),
  )
  return violations.flatMap(({ id, nodes }) =>
    nodes
      .filter(({ html }) => id !== 'color-contrast' || !html.includes('class="login-button'))
      .map(({ html }) => `${id}: ${html}`),
  )
}

test('no page of any theme has an accessibility violation, or scrolls sideways', async () => {
  const context = await openContext(browser)
  const page = await context.newPage()
  const names = { site: site.site, account: site.account, site_id: site.site_id }
  await fc.assert(
    fc.asyncProperty(theme, language, scheme, width, async (tried, tag, colors, pixels) => {
      await page.setViewportSize({ width: pixels, height: 800 })
      for (const name of previewPages) {
        const { html } = await serviceStack.provider_auth.previewPage(
          { ...names, look: Look.parse({ theme: tried, words: {} }), page: name, language: tag, scheme: colors },
          serviceStack.call(),
        )
        // The script of the form post leaves the page.
        await page.setContent(html.replace(/<script>.*?<\/script>/s, ''))
        expect(await listViolations(page), name).toEqual([])
        expect(await page.evaluate('document.documentElement.scrollWidth'), name).toBeLessThanOrEqual(pixels)
      }
    }),
    { numRuns },
  )
  await context.close()
})

test('every page is smaller than 30 kB without its pictures', async () => {
  const url = new URL(site.providers.messaging.authorize_uri)
  url.pathname = '/oauth2/authorize'
  url.search = new URLSearchParams({
    client_id: site.client.client_id,
    redirect_uri: site.client.redirect_uri,
    response_type: 'code',
    scope: 'openid',
  }).toString()
  const html = await (await fetch(url)).text()
  const stylesheets = [...html.matchAll(/<link rel="stylesheet" href="([^"]+)"/g)].map(([, path = '']) => path)
  const sizes = await Promise.all(
    stylesheets.map(async (path) => (await (await fetch(serviceStack.auth + path)).arrayBuffer()).byteLength),
  )
  expect(html.length + sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(30_000)
})
