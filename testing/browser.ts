import { type Browser, type BrowserContext, chromium } from 'playwright-core'
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
  { dark = false, scripts = true, locale = 'en-US' }: { dark?: boolean; scripts?: boolean; locale?: string } = {},
): Promise<BrowserContext> {
  const colorScheme = dark ? 'dark' : 'light'
  return browser.newContext({ colorScheme, locale, javaScriptEnabled: scripts, reducedMotion: 'reduce' })
}
