import type { Page, Response } from 'playwright-core'

/**
 * Opens an API reference and waits until it is rendered.
 *
 * @returns a list of problems, which grows while the page is open: warnings, errors, and requests to other hosts
 */
export async function openApiReference(page: Page, address: string): Promise<readonly string[]> {
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('console', (message) => {
    if (['warning', 'error'].includes(message.type())) problems.push(message.text())
  })
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== new URL(address).origin) problems.push(request.url())
  })
  await page.goto(address)
  await page.getByRole('heading', { level: 1 }).waitFor()
  return problems
}

/** The operations that the page lists, `GET /api/map`. */
export async function listedOperations(page: Page): Promise<string[]> {
  await page.locator('a[href*="GET/"]').first().waitFor({ state: 'attached' })
  const links = await page.locator('a[href^="#"]').evaluateAll((all) => all.map((link) => link.getAttribute('href')))
  return links.flatMap((link) => {
    const [, method, path = ''] = /^#(?:tag\/[^/]+\/)?([A-Z]+)(\/.*)$/.exec(link ?? '') ?? []
    return method === undefined ? [] : [`${method} ${decodeURIComponent(path)}`]
  })
}

interface TestRequest {
  /** As listed on the page: `/api/appinfo`. */
  readonly path: string
  /** Label of the credential's field. */
  readonly label: string
  readonly credential: string
}

/** Sends a test request by GET from the page and returns the response. */
export async function sendTestRequest(page: Page, { path, label, credential }: TestRequest): Promise<Response> {
  const dialog = page.getByRole('dialog')
  // The dialog of the previous request.
  if (await dialog.isVisible()) await page.keyboard.press('Escape')
  await page.locator(`a[href^="#"][href$="GET${path}"]`).click()
  await page.getByRole('button', { name: `(get ${path})`, exact: false }).click()
  // Further fields with this label belong to headers and parameters.
  await dialog.getByLabel(label, { exact: true }).first().fill(credential)
  const [response] = await Promise.all([
    page.waitForResponse((response) => new URL(response.url()).pathname.endsWith(path)),
    page.keyboard.press('Control+Enter'),
  ])
  return response
}
