import assert from 'node:assert/strict'
import type { Browser, Page } from 'playwright-core'
import { openContext } from '../../testing/browser.ts'
import type { RunningProduct } from './product.ts'

/**
 * Logs a new end user in to the application through a simulated provider, compares the user ID on the page with that of
 * the Web API, logs out, and checks that both sessions have ended.
 *
 * @returns the user ID
 */
export async function logInAndOut(
  browser: Browser,
  application: string,
  { name, product }: { name: string; product: RunningProduct },
): Promise<string> {
  const context = await openContext(browser)
  const page = await context.newPage()
  try {
    const before = await product.fetchUsers()
    await page.goto(application)
    await control(page, 'Log in').click()
    await page.locator('a.login-button.search').click()
    await page.getByRole('textbox').fill(name)
    await page.getByRole('button', { name: 'Allow' }).click()
    await control(page, 'Log out').waitFor()

    const newUsers = (await product.fetchUsers()).filter((identifier) => !before.includes(identifier))
    const [identifier = ''] = newUsers
    assert.equal(newUsers.length, 1, 'the login created one user')
    const shown = await page.locator('body').innerText()
    assert.ok(shown.includes(`User ID: ${identifier}`), `the page shows the user ID ${identifier}`)
    assert.ok(shown.includes(`Hello, ${name}`), `the page shows the name ${name}`)
    assert.match(shown, /Email: \S+@\S+/, 'the page shows the email address')

    await control(page, 'Log out').click()
    await control(page, 'Log in').waitFor()
    assert.equal(new URL(page.url()).origin, new URL(application).origin, 'the logout returns to the application')
    const sessions = (await context.cookies()).filter(({ name, value }) => /^session-/.test(name) && value !== '')
    assert.deepEqual(sessions, [], 'the logout ends the session of the login service')
    await page.goto(application)
    await control(page, 'Log in').waitFor()
    assert.ok(!(await page.locator('body').innerText()).includes(identifier), 'the user is logged out')
    return identifier
  } catch (error) {
    const shown = await page
      .locator('body')
      .innerText()
      .catch(() => '')
    throw new Error(`${String(error)}\nThe browser is at ${page.url()}, which shows:\n${shown}`, { cause: error })
  } finally {
    await context.close()
  }
}

/** A link or a button. */
function control(page: Page, name: string) {
  const options = { name, exact: true }
  return page.getByRole('link', options).or(page.getByRole('button', options))
}
