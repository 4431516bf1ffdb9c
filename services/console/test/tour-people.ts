import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { ProviderData } from '#contracts'
import { socialLogin } from '../cli/test/harness.ts'
import type { UsageFixture } from './usage-fixture.ts'

/** A user with a profile, metadata and an ID of the site. */
export interface SeededPerson {
  readonly name: string
  readonly identifier: string
  readonly primary_key: string
}

/** With names in two scripts, and with what spreadsheets change: leading zeros, and the beginning of a formula. */
const people = [
  { name: '田中 花子', key: '0042', email: 'hanako@example.com', plan: 'gold' },
  { name: '髙橋 一郎', key: '=1+1', email: 'ichiro@example.com', plan: 'free' },
  { name: 'Jane O’Brien', key: 'customer-j', email: 'jane.obrien-takahashi@sales.example.co.jp', plan: 'free' },
] as const

export async function seedPeople({ serviceStack, site: { site } }: Pick<UsageFixture, 'serviceStack' | 'site'>) {
  const { identity, profile, call } = serviceStack
  const seed = async ({ name, key, email, plan }: (typeof people)[number]): Promise<SeededPerson> => {
    const link = { provider: 'messaging', provider_user_id: randomUUID() } as const
    const { user, links } = await identity.createUser({ site, links: [link], primary_key: key }, call())
    const { identifier } = user
    const data: ProviderData = {
      profile: { full_name: name },
      follow: null,
      email: [{ email, verified: true }],
      phone: [],
    }
    const received = { site, identifier, provider: 'messaging', data, obtained_at: new Date().toISOString() } as const
    for (const { link_id } of links) await profile.recordProviderData({ ...received, link_id }, call())
    await identity.changeMetadata({ site, identifier, app_metadata: { plan }, replace: false }, call())
    return { name, identifier, primary_key: key }
  }
  const [hanako, ichiro, jane] = [await seed(people[0]), await seed(people[1]), await seed(people[2])]
  return { hanako, ichiro, jane }
}

/** Runs a command for the site as an owner of its account, and returns what it prints. */
export type RunCommand = (words: string, options?: readonly string[], stdin?: string) => Promise<string>

export async function createCommandRunner({ serviceStack, site, createToken }: UsageFixture): Promise<RunCommand> {
  const { account, site_id } = site
  const token = await createToken(account, 'owner')
  const environment = { SOCIAL_LOGIN_URL: serviceStack.console.url, SOCIAL_LOGIN_TOKEN: token }
  return async (words, options = [], stdin = '') => {
    const args = [...words.split(' '), '--account', account, '--site-id', site_id, ...options]
    const { code, out, err } = await socialLogin(args, { environment, stdin })
    expect([code, err], words).toEqual([0, expect.any(String)])
    return out
  }
}

/** Sentences of the English texts, as they would be seen on a page in Japanese. */
const english = /[A-Za-z’]{2,}(?: [A-Za-z’]+){3,}/g

const isWide = 'document.documentElement.scrollWidth > document.documentElement.clientWidth'
/** The names of tables that scroll sideways. */
const wideTables = `[...document.querySelectorAll('.rows')]
  .filter((rows) => [...rows.querySelectorAll(':has(table)')].some((one) => one.scrollWidth > one.clientWidth))
  .map((rows) => rows.querySelector('table').ariaLabel)`

/** Looks for defects that users see: a page that scrolls sideways at two widths, a table that does at the wider one, values without a text, and in Japanese English sentences. */
export async function expectNoDefects(page: Page, name: string, language: string): Promise<void> {
  for (const width of [390, 1_280]) {
    await page.setViewportSize({ width, height: 900 })
    // The page is laid out again after the change of its width.
    const message = `${name} scrolls sideways at ${width}`
    await expect.poll(() => page.evaluate(isWide), { message }).toBe(false)
  }
  const message = `${name} has tables that scroll sideways`
  await expect.poll(() => page.evaluate(wideTables), { message }).toEqual([])
  const text = await page.locator('body').innerText()
  const sentences = language === 'ja' ? (text.match(english) ?? []) : []
  expect([...sentences, ...(text.match(/undefined|\[object|NaN|Invalid Date/g) ?? [])], name).toEqual([])
}
