import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Uint8ArrayReader, Uint8ArrayWriter, ZipReader } from '@zip.js/zip.js'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { adminApi, UserExport } from '#admin-api'
import { openContext, waitFor } from '#testing'
import { createAccountSteps, newUserName } from '../../provider-auth/test/account-steps.ts'
import { buildAuthorizeUrl } from '../../provider-auth/test/browser.ts'
import { socialLogin } from '../cli/test/harness.ts'
import { createSitePageOpener } from './pages-browser.ts'
import { createCommandRunner, expectNoDefects, type RunCommand, type SeededPerson, seedPeople } from './tour-people.ts'
import { type FindText, readConsoleTexts, readPageTexts, type TourLanguage } from './tour-texts.ts'
import { createSeparateUsageFixture } from './usage-fixture.ts'

// For browsers, the provider must be another site.
const stage = createSeparateUsageFixture({ simulatorHost: '127.0.0.1' })
const openSitePage = createSitePageOpener(stage)
const steps = createAccountSteps(() => stage)
const waiting = { interval: 200 }
const locales = { en: 'en-US', ja: 'ja-JP' } as const

interface Tour {
  readonly language: TourLanguage
  /** Of the console, and of the login pages. */
  readonly t: FindText
  readonly pageText: FindText
  readonly run: RunCommand
  readonly open: (path: string) => Promise<Page>
  /** Looks at the page as the user would. */
  readonly look: (page: Page, name: string) => Promise<void>
}

async function startTour(language: TourLanguage): Promise<Tour> {
  await stage.openNewSite()
  const locale = locales[language]
  return {
    language,
    t: readConsoleTexts(language),
    pageText: readPageTexts(language),
    run: await createCommandRunner(stage),
    open: (path) => openSitePage(path, { locale }),
    look: (page, name) => expectNoDefects(page, name, language),
  }
}

async function findPeople({ t, run, open, look }: Tour, { name, identifier }: SeededPerson): Promise<void> {
  await run('users change-search', ['--fields', 'email', 'name'])
  const isFound = async () => expect(await run('users find', ['--q', name, '-o', 'json'])).toContain(identifier)
  await waitFor(isFound, waiting)
  const page = await open('/users')
  await page.getByLabel(t('users.search'), { exact: true }).fill(name.slice(0, 4))
  await page.getByRole('button', { name: t('users.search_submit'), exact: true }).click()
  await page
    .getByRole('table', { name: t('users.found') })
    .getByText(name)
    .waitFor()
  await look(page, 'find')
}

async function changeUsers(
  { t, run, open, look }: Tour,
  { hanako, ichiro }: Record<string, SeededPerson>,
): Promise<void> {
  const choose = async (page: Page, action: string) => {
    await page.getByRole('combobox', { name: t('bulk_changes.action') }).click()
    await page.getByRole('option', { name: t(`bulk_changes.actions.${action}`), exact: true }).click()
  }
  const page = await open('/bulk-changes')
  for (const action of ['block', 'unblock']) {
    await page.getByRole('button', { name: t('bulk_changes.request') }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(t('bulk_changes.count', { count: 3 }).slice(0, 12), { exact: false }).waitFor()
    await choose(page, action)
    if (action === 'block') await dialog.getByLabel(t('users.block_reason'), { exact: true }).fill('Spam')
    await dialog.getByRole('button', { name: t('bulk_changes.submit'), exact: true }).click()
    const cell = page.getByRole('cell', { name: t(`bulk_changes.actions.${action}`), exact: true })
    const row = page.getByRole('row').filter({ has: cell })
    await row.getByText(t('bulk_changes.states.done'), { exact: true }).waitFor()
    const { block } = JSON.parse(await run('users show', ['--identifier', hanako?.identifier ?? '', '-o', 'json'])).user
    expect(block === undefined).toBe(action === 'unblock')
  }
  await page.getByRole('button', { name: t('bulk_changes.request') }).click()
  await choose(page, 'delete')
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('bulk_changes.submit'), exact: true })
    .click()
  const cell = page.getByRole('cell', { name: t('bulk_changes.actions.delete'), exact: true })
  const deletion = page.getByRole('row').filter({ has: cell })
  await deletion.getByText(t('bulk_changes.states.scheduled'), { exact: true }).waitFor()
  await look(page, 'bulk changes')
  await deletion.getByRole('button', { name: t('bulk_changes.cancel') }).click()
  const confirmation = page.getByRole('dialog', { name: t('bulk_changes.cancel_title') })
  await confirmation.getByRole('button', { name: t('bulk_changes.cancel'), exact: true }).click()
  await deletion.getByText(t('bulk_changes.states.canceled'), { exact: true }).waitFor()

  const list = await open('/users')
  await list.getByText(hanako?.name ?? '').waitFor()
  await look(list, 'list')
  await list.getByText(ichiro?.name ?? '').click()
  await list.getByRole('button', { name: t('users.block'), exact: true }).click()
  const dialog = list.getByRole('dialog', { name: t('users.block_title') })
  await dialog.getByLabel(t('users.block_reason'), { exact: true }).fill('不正利用 / fraud')
  await dialog.getByRole('button', { name: t('users.block'), exact: true }).click()
  await list.getByRole('alert').filter({ hasText: '不正利用 / fraud' }).waitFor()
  const metadata = list.getByLabel('app_metadata', { exact: true })
  await metadata.fill('{ "plan": "gold", "note": "常連" }')
  const form = list.locator('section').filter({ has: metadata })
  await form.getByRole('button', { name: t('common.save'), exact: true }).click()
  const shows = async () => {
    expect(await run('users show-metadata', ['--identifier', ichiro?.identifier ?? ''])).toContain('常連')
  }
  await waitFor(shows, waiting)
  await look(list, 'user')
}

/** Exports chosen columns, and returns the table. */
async function exportTable({ run }: Tour): Promise<string> {
  const password = 'correct horse battery staple'
  const columns = ['--file-columns', 'name', 'primary_key', 'state', 'app_metadata.plan', '--numbers-as-text']
  const requested = await run(
    'exports request',
    [...columns, '--format', 'csv', '--password-file', '-', '-o', 'json'],
    password,
  )
  const { export_id } = UserExport.parse(JSON.parse(requested))
  const isReady = async () => {
    const { exports } = adminApi.listExports.output.parse(JSON.parse(await run('exports list', ['-o', 'json'])))
    expect(exports).toMatchObject([{ export_id, state: 'ready' }])
  }
  await waitFor(isReady, waiting)
  const file = join(await mkdtemp(join(tmpdir(), 'tour-')), 'users.zip')
  await run('exports fetch', ['--export-id', export_id, '--to', file])
  const options = { password, useWebWorkers: false }
  const [entry] = await new ZipReader(new Uint8ArrayReader(await readFile(file)), options).getEntries()
  if (entry === undefined || entry.directory) throw new Error('The export has no file.')
  return new TextDecoder().decode(await entry.getData(new Uint8ArrayWriter()))
}

/** Imports a table with a line that is rejected, and reads the report. */
async function importTable({ t, open, look, run }: Tour): Promise<void> {
  const page = await open('/imports')
  await page.getByRole('button', { name: t('imports.start') }).click()
  const dialog = page.getByRole('dialog')
  const choosing = page.waitForEvent('filechooser')
  await dialog.getByRole('button', { name: t('imports.file') }).click()
  const table = 'primary_key,login_count\nimported,3\nrejected,many\n'
  await (await choosing).setFiles({ name: 'users.csv', mimeType: 'text/csv', buffer: Buffer.from(table) })
  // What was read moves the fields below it. The hint of the field says "recognized" as well.
  const [recognized = ''] = t('imports.recognized', { format: '|' }).split('|')
  await dialog.getByText(recognized.trim()).waitFor()
  const dryRun = dialog.getByLabel(t('imports.dry_run_first'))
  // By the keyboard: a click can miss a field that moves.
  await dryRun.press('Space')
  await expect.poll(() => dryRun.isChecked()).toBe(false)
  await dialog.getByRole('button', { name: t('imports.start'), exact: true }).click()
  const row = page.getByRole('row', { name: 'users.csv' })
  await row.getByText(t('imports.states.done'), { exact: true }).waitFor()
  await look(page, 'imports')
  await row.getByRole('button', { name: t('imports.rejections') }).click()
  await page.getByRole('cell', { name: 'login_count', exact: true }).waitFor()
  await look(page, 'rejected lines')
  const { users } = JSON.parse(await run('users find', ['--q', 'imported', '-o', 'json']))
  expect(users).toMatchObject([{ primary_key: 'imported', login_count: 3 }])
}

/** Saves that inactive users are deleted, after a preview that no user is. */
async function saveInactivityRule({ t, open, look, run }: Tour): Promise<void> {
  const page = await open('/settings')
  const days = page.getByLabel(t('settings.delete_after_days'), { exact: true })
  await days.fill('365')
  await page.getByText(t('settings.inactive_count', { users: 0 })).waitFor()
  await look(page, 'settings')
  const form = page.locator('form').filter({ has: days })
  await form.getByRole('button', { name: t('common.save'), exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText(t('settings.inactive_users_warning')).waitFor()
  await dialog.getByRole('button', { name: t('common.consequences.save'), exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
  const isSaved = async () =>
    expect(JSON.parse(await run('inactivity-rule show', ['-o', 'json']))).toMatchObject({ delete_after_days: 365 })
  await waitFor(isSaved, waiting)
}

async function turnOnPages({ site, serviceStack: { provider_auth, call } }: typeof stage): Promise<void> {
  const names = { site: site.site, account: site.account, site_id: site.site_id }
  const settings = { enabled: true, deletion_waiting_days: 14, expected_revision: 0 }
  await provider_auth.changeAccountPage({ ...names, ...settings }, call())
  const texts = { en: { title: 'Terms of use', url: null }, ja: { title: '利用規約', url: null } }
  const documents = [{ name: 'terms', kind: 'required' as const, version: 1, minimum_version: 1, texts }]
  await provider_auth.changeTerms({ site: site.site, documents, expected_revision: 0 }, call())
}

/** The parameters of the response that a step sends to the application, whose address leads nowhere. */
async function readResponse(page: Page, step: () => Promise<unknown>): Promise<URLSearchParams> {
  const responding = page.waitForRequest((request) => request.url().startsWith(stage.site.client.redirect_uri))
  await step().catch(() => {})
  return new URL((await responding).url()).searchParams
}

/** An end user logs in, accepts the terms, and looks after the own account. Returns the identifier. */
async function visitAsEndUser({ language, pageText: t, look, run }: Tour, console: Page): Promise<string> {
  const browser = console.context().browser()
  if (browser === null) throw new Error('The page has no browser.')
  const context = await openContext(browser, { locale: locales[language] })
  const page = await context.newPage()
  const name = newUserName()
  const authorize = buildAuthorizeUrl(stage.site, 'search', { ui_locales: language })
  await page.goto(authorize)
  await page.getByRole('textbox').fill(name)
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.getByRole('heading', { name: t('terms.heading') }).waitFor()
  await look(page, 'terms')
  const silently = await context.newPage()
  const tryWithoutPage = () => readResponse(silently, () => silently.goto(`${authorize}&prompt=none`))
  expect((await tryWithoutPage()).get('error')).toBe('consent_required')
  await page.getByRole('checkbox').check()
  const accept = () => page.getByRole('button', { name: t('terms.go') }).click()
  expect((await readResponse(page, accept)).has('code')).toBe(true)
  expect((await tryWithoutPage()).has('code')).toBe(true)

  const open = (path = '') => page.goto(steps.address(path, { ui_locales: language }))
  await open()
  await page.getByRole('heading', { name: t('account.accounts.heading') }).waitFor()
  await look(page, 'account page')
  await open('/download')
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: t('account.download.go') }).click()
  const file = JSON.parse(await readFile(await (await downloading).path(), 'utf8'))
  expect(file.consents).toMatchObject([{ document: 'terms', version: 1, accepted: true }])
  await open('/delete')
  await look(page, 'delete account')
  await page.getByRole('button', { name: t('account.delete.go') }).click()
  await page.getByRole('button', { name: t('account.deletion.keep') }).click()
  await page.getByText(t('account.notices.deletion_canceled')).waitFor()
  await context.close()

  const { identifier } = file.user
  const hasAll = async () => {
    const listed = await run('audit list', ['--identifier', identifier, '--actor-kind', 'end_user', '-o', 'json'])
    const { entries } = adminApi.listAudit.output.parse(JSON.parse(listed))
    const actions = ['answerDocuments', 'cancelOwnDeletion', 'downloadOwnData', 'requestOwnDeletion']
    expect(entries.map(({ action }) => action).sort()).toEqual(actions)
  }
  await waitFor(hasAll, waiting)
  return identifier
}

/** Answers what is held about a user, deletes the user, and proves it. */
async function answerRequest({ t, run, open, look }: Tour, identifier: string): Promise<void> {
  const held = await open(`/users/${identifier}/held-data`)
  await held.getByRole('heading', { name: t('held_data.title') }).waitFor()
  await held.getByText(t('audit.actions.downloadOwnData'), { exact: true }).first().waitFor()
  await look(held, 'held data')
  const audit = await open(`/audit?actor_kind=end_user&identifier=${identifier}`)
  await audit.getByRole('button', { name: t('audit.actions.answerDocuments') }).waitFor()
  await look(audit, 'audit')

  await run('users delete', ['--identifier', identifier, '--yes'])
  const readReceipt = async () => {
    const receipt = JSON.parse(await run('users erasure-receipt', ['--identifier', identifier, '-o', 'json']))
    expect(receipt).toMatchObject({ receipt: expect.any(String), pending: [] })
    return JSON.stringify(receipt)
  }
  const receipt = await waitFor(readReceipt, waiting)
  const page = await open('/erasures')
  await page.getByRole('link', { name: identifier }).click()
  await page.getByRole('table', { name: t('erasures.deleted') }).waitFor()
  await look(page, 'erasure')
  const directory = await mkdtemp(join(tmpdir(), 'tour-'))
  const [file, jwks] = [join(directory, 'receipt.json'), join(directory, 'jwks.json')]
  await writeFile(file, receipt)
  await writeFile(jwks, await (await fetch(`${stage.serviceStack.auth}/oauth2/jwks`)).text())
  expect(await socialLogin(['verify-receipt', file, '--jwks', jwks])).toMatchObject({ code: 0, err: '' })
}

test.each(['en', 'ja'] as const)(
  '%s: people are found, changed, exported, answered and deleted, in the console, the command line and as end users',
  async (language) => {
    const tour = await startTour(language)
    await turnOnPages(stage)
    const people = await seedPeople(stage)
    await findPeople(tour, people.hanako)
    await changeUsers(tour, people)
    const rows = (await exportTable(tour)).trimEnd().split('\r\n').toSorted()
    expect(rows).toEqual(
      [
        'name,primary_key,state,app_metadata.plan',
        "田中 花子,'0042,active,gold",
        "髙橋 一郎,'=1+1,blocked,gold",
        'Jane O’Brien,customer-j,active,free',
      ].toSorted(),
    )
    await saveInactivityRule(tour)
    await importTable(tour)
    for (const path of ['terms', 'account-page', 'exports']) {
      const page = await tour.open(`/${path}`)
      await page.getByRole('heading', { level: 1, name: tour.t(`${path.replaceAll('-', '_')}.title`) }).waitFor()
      await tour.look(page, path)
    }
    await answerRequest(tour, await visitAsEndUser(tour, await tour.open('/users')))
  },
)
