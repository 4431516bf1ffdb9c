import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { adminApi, type TermsDocument } from '#admin-api'
import { insertMember, upsertRole } from '../store/members.ts'
import { insertMemberSession } from '../store/sessions.ts'
import { createSitePageOpener } from './pages-browser.ts'
import { createUsageFixture } from './usage-fixture.ts'

const stage = createUsageFixture()
const openSitePage = createSitePageOpener(stage)

const readTerms = async () => adminApi.readTerms.output.parse((await stage.request('GET', '/terms')).body)

const terms: TermsDocument = {
  name: 'terms',
  kind: 'required',
  version: 1,
  minimum_version: 1,
  texts: { en: { title: 'Terms of use', url: 'https://shop.example.com/{language}/terms' } },
}
const newsletter: TermsDocument = {
  name: 'newsletter',
  kind: 'optional',
  version: 1,
  minimum_version: 1,
  texts: { en: { title: 'Send me news', url: null } },
}

async function saveTerms(documents: readonly TermsDocument[]) {
  const { revision } = await readTerms()
  const { status } = await stage.request('PUT', '/terms', { documents }, revision)
  if (status !== 200) throw new Error(`The terms were rejected with ${status}.`)
}

const cardOf = (page: Page, title: string) => page.getByRole('region', { name: title })

async function openDialog(page: Page, from: Page | Locator, button: string): Promise<Locator> {
  await from.getByRole('button', { name: button }).click()
  return page.getByRole('dialog')
}

test('documents are added with errors at their fields, moved and removed', async () => {
  await saveTerms([])
  const page = await openSitePage('/terms')
  await page.getByText('End users are not asked.').waitFor()
  const dialog = await openDialog(page, page, 'Add document')
  const submit = () => dialog.getByRole('button', { name: 'Add document' }).click()
  await dialog.getByLabel('Name').fill('Terms')
  await submit()
  await dialog.getByText('Use up to 31 lower-case letters').waitFor()
  await dialog.getByText('This field is required.').waitFor()
  await dialog.getByLabel('Name').fill('terms')
  await dialog.getByLabel('Title').fill('Terms of use')
  await dialog.getByLabel('Add language').selectOption('ja')
  const [english, japanese] = ['English', '日本語'].map((name) => dialog.getByRole('group', { name, exact: true }))
  await japanese?.getByLabel('Title').fill('利用規約')
  await japanese?.getByLabel('Address').fill('http://shop.example.com')
  await submit()
  await japanese?.getByText('must be an address that begins with https://').waitFor()
  await japanese?.getByLabel('Address').fill('https://shop.example.com/ja/terms')
  await english?.getByLabel('Address').fill('https://shop.example.com/en/terms')
  await submit()
  await cardOf(page, 'Terms of use').getByText('Version 1').waitFor()

  const second = await openDialog(page, page, 'Add document')
  await second.getByLabel('Name').fill('newsletter')
  await second.getByLabel('Optional').check()
  await second.getByLabel('Title').fill('Send me news')
  await second.getByRole('button', { name: 'Add document' }).click()
  await cardOf(page, 'Send me news').getByText('Optional').waitFor()
  const texts = {
    en: { title: 'Terms of use', url: 'https://shop.example.com/en/terms' },
    ja: { title: '利用規約', url: 'https://shop.example.com/ja/terms' },
  }
  expect((await readTerms()).documents).toEqual([{ ...terms, texts }, newsletter])

  await page.getByRole('button', { name: 'Move “Send me news” up' }).click()
  await expect.poll(async () => (await readTerms()).documents.map(({ name }) => name)).toEqual(['newsletter', 'terms'])
  const removal = await openDialog(page, cardOf(page, 'Terms of use'), 'Remove')
  await removal.getByText('Their answers are still stored').waitFor()
  await removal.getByRole('button', { name: 'Remove' }).click()
  await cardOf(page, 'Terms of use').waitFor({ state: 'detached' })
  expect((await readTerms()).documents).toEqual([newsletter])
})

test('a new version asks everyone or only new users, and changes of others in the meantime remain', async () => {
  await saveTerms([terms, newsletter])
  const page = await openSitePage('/terms')
  const card = cardOf(page, 'Terms of use')
  const dialog = await openDialog(page, card, 'New version')
  // Another document is changed while the dialog is open.
  const changed = { ...newsletter, texts: { en: { title: 'Send me offers', url: null } } }
  await saveTerms([changed, terms])
  await dialog.getByLabel('Address').fill('https://shop.example.com/2')
  await dialog.getByRole('button', { name: 'Publish version 2' }).click()
  await card.getByText('until they have answered version 2').waitFor()
  const second = {
    ...terms,
    version: 2,
    minimum_version: 2,
    texts: { en: { title: 'Terms of use', url: 'https://shop.example.com/2' } },
  }
  expect((await readTerms()).documents).toEqual([changed, second])

  const quiet = await openDialog(page, card, 'New version')
  await quiet.getByLabel('Only users who have not answered yet').check()
  await quiet.getByRole('button', { name: 'Publish version 3' }).click()
  await card.getByText('Version 3').waitFor()
  expect((await readTerms()).documents).toEqual([changed, { ...second, version: 3 }])

  const edit = await openDialog(page, card, 'Edit')
  await saveTerms([{ ...second, version: 4 }])
  await edit.getByLabel('Title').fill('Terms')
  for (let attempt = 0; attempt < 2; attempt++) {
    await edit.getByRole('button', { name: 'Save' }).click()
    await edit.getByText('Someone else changed this').waitFor()
    expect((await readTerms()).documents).toEqual([{ ...second, version: 4 }])
  }
})

test('a viewer sees the documents, and changes none', async () => {
  await saveTerms([terms, newsletter])
  const { knex, site, serviceStack } = stage
  const now = new Date()
  const memberId = await knex.transaction(async (trx) => {
    const id = await insertMember(trx, { name: 'Vera', operator: false, now })
    await upsertRole(trx, { member_id: id, account: site.account, role: 'viewer' })
    return id
  })
  const session = await insertMemberSession(knex, { member_id: memberId, browser: 'test', now })
  const page = await openSitePage('/terms')
  await page.context().addCookies([{ name: 'console', value: session, url: serviceStack.console.url }])
  await page.reload()
  const card = cardOf(page, 'Terms of use')
  await card.getByRole('link', { name: 'https://shop.example.com/{language}/terms' }).waitFor()
  await page.getByText('Your role allows you to view this page').waitFor()
  expect(await card.getByRole('button').count()).toBe(0)
  expect(await page.getByRole('button', { name: 'Add document' }).count()).toBe(0)
})

test('the preview shows the documents of the site, and the page of a user shows the answers', async () => {
  await saveTerms([newsletter])
  const page = await openSitePage('/terms')
  await page.getByRole('link', { name: 'Preview the page' }).click()
  await page.frameLocator('iframe').getByText('Send me news').waitFor()

  const { identity, call } = stage.serviceStack
  const { site } = stage.site
  const { user } = await identity.createUser({ site, links: [] }, call())
  const { identifier } = user
  const own = await openSitePage(`/users/${identifier}`)
  await own.getByText('The user has not answered any document.').waitFor()
  const answer = { document: 'newsletter', version: 1, accepted: false }
  await identity.recordConsents({ site, identifier, answers: [answer] }, call())
  await own.reload()
  await own.getByRole('row').filter({ hasText: 'newsletter' }).getByText('Declined').waitFor()
})
