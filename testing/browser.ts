import { type Browser, type BrowserContext, chromium } from 'playwright-core'
import { requireProgram } from '#local'

/** A headless Chromium of this machine, with nothing running but what a test opens. */
export async function openBrowser(): Promise<Browser> {
  const { path } = await requireProgram('chromium')
  return chromium.launch({
    executablePath: path,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
  })
}

/** A browser profile of its own: cookies of one are not another's. */
export async function openContext(
  browser: Browser,
  { dark = false, scripts = true, locale = 'en-US' }: { dark?: boolean; scripts?: boolean; locale?: string } = {},
): Promise<BrowserContext> {
  return browser.newContext({ colorScheme: dark ? 'dark' : 'light', locale, javaScriptEnabled: scripts })
}
