import type { SeededSite } from '#testing'
import type { TestBrowser } from '../browser.ts'
import { findForm } from '../configured-login.ts'
import type { RunningProduct } from './product.ts'

const maxSteps = 20

/**
 * Follows redirects and sends the product's forms until the browser is at an address that begins with `end`, and returns
 * that address.
 */
export async function follow(
  browser: TestBrowser,
  start: string,
  end: string,
  { answers }: Pick<RunningProduct, 'answers'>,
): Promise<URL> {
  let address = start
  let form: Readonly<Record<string, string>> | undefined
  for (let step = 0; step < maxSteps; step++) {
    if (address.startsWith(end)) return new URL(address)
    const response = await browser.open(address, form)
    const location = response.headers.get('location')
    if (location !== null) {
      address = new URL(location, address).href
      form = undefined
      continue
    }
    const page = await response.text()
    const found = findForm(page)
    if (found === undefined) throw new Error(`${address} returned ${response.status} without a form: ${page}`)
    address = new URL(found.action, address).href
    form = { ...found.hidden, ...answers }
  }
  throw new Error(`After ${maxSteps} steps the browser is at ${address}.`)
}

export const followToCallback = (site: SeededSite, browser: TestBrowser, start: string, product: RunningProduct) =>
  follow(browser, start, site.client.redirect_uri, product)
