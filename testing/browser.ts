import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from 'playwright-core'
import { requireProgram } from '#local'

/**
 * Starts the installed Chromium headless, without background activity. By default Playwright ends this process at a stop
 * signal; with `handlesSignals: false` the caller closes the browser.
 */
export async function openBrowser({ handlesSignals = true } = {}): Promise<Browser> {
  const { path } = await requireProgram('chromium')
  return chromium.launch({
    executablePath: path,
    handleSIGINT: handlesSignals,
    handleSIGTERM: handlesSignals,
    handleSIGHUP: handlesSignals,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
  })
}

/** Opens a separate browser context, with its own cookies. */
export async function openContext(
  browser: Browser,
  { dark = false, scripts = true, ...options }: BrowserContextOptions & { dark?: boolean; scripts?: boolean } = {},
): Promise<BrowserContext> {
  const context = await browser.newContext({
    colorScheme: dark ? 'dark' : 'light',
    locale: 'en-US',
    javaScriptEnabled: scripts,
    reducedMotion: 'reduce',
    ...options,
  })
  // As that of `waitFor`: it ends what hangs. That of Playwright gives up after 30 seconds.
  context.setDefaultTimeout(150_000)
  return context
}
