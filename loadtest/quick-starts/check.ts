import { globSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Browser } from 'playwright-core'
import { SetupError } from '#local'
import { listenForInterruption } from '../../deploy/local/interruption.ts'
import { createStep, type Note } from '../../deploy/local/progress.ts'
import { root } from '../../deploy/local/settings.ts'
import { openBrowser } from '../../testing/browser.ts'
import { createApplication } from './application.ts'
import { logInAndOut } from './log-in.ts'
import { type QuickStart, readQuickStart } from './page.ts'
import { type RunningProduct, runProduct } from './product.ts'
import { receiveEvent } from './receive-event.ts'
import { findMissing } from './requirements.ts'

const usage = `Usage: npm run check:quick-starts [-- <name>…]
Follows the pages of docs/use/quick-starts, such as "express" or "go": registers the client, installs and runs the
application with the page's own files and commands, and logs in and out in Chromium or sends an event. Without names, follows all pages.
Pages whose tools are not installed are skipped. The exit code is 1 only for failed pages.`

const { values: options, positionals } = parseArgs({ options: { help: { type: 'boolean' } }, allowPositionals: true })
const folder = join(root, 'docs/use/quick-starts')
const pages = globSync('*.md', { cwd: folder })
  .filter((file) => file !== 'README.md')
  .map((file) => basename(file, '.md'))
  .sort()
const unknown = positionals.filter((name) => !pages.includes(name))
if (options.help || unknown.length > 0) {
  console.log(unknown.length === 0 ? usage : `There is no quick start ${unknown.join(', ')}, only ${pages.join(', ')}.`)
  process.exit(unknown.length === 0 ? 0 : 1)
}

const interruption = listenForInterruption()
const step = createStep(interruption)
const failures: string[] = []
const skipped: string[] = []

const selected: QuickStart[] = []
for (const name of positionals.length === 0 ? pages : positionals) {
  const page = readQuickStart(join(folder, `${name}.md`))
  const missing = await findMissing(page.requirements)
  if (missing.length === 0) selected.push(page)
  else skipped.push(`${name}: not found: ${missing.join(', ')}.`)
}

const directory = await mkdtemp(join(tmpdir(), 'social-login-quick-starts-'))
try {
  if (selected.length > 0) {
    await using product = await step('Product', () => runProduct(directory, interruption))
    await using browser = await openBrowser({ handlesSignals: false })
    for (const page of selected) {
      if (interruption.aborted) break
      await attempt(page, { product, browser })
    }
  }
} catch (error) {
  if (!interruption.aborted) throw error
} finally {
  await rm(directory, { recursive: true, force: true })
}

for (const failure of failures) console.error(`\nFAILED  ${failure}`)
for (const reason of skipped) console.error(`\nSKIPPED  ${reason}`)
process.exit(failures.length === 0 && !interruption.aborted ? 0 : 1)

/** Follows a page. Records a failure and continues. */
async function attempt(page: QuickStart, started: { product: RunningProduct; browser: Browser }): Promise<void> {
  try {
    await step(page.name, (note) => follow(page, { ...started, note }))
  } catch (error) {
    if (interruption.aborted) return
    failures.push(`${page.name}: ${error instanceof Error ? error.message : error}`)
  }
}

async function follow(
  page: QuickStart,
  { product, browser, note }: { product: RunningProduct; browser: Browser; note: Note },
): Promise<void> {
  note('registers the application')
  const ofPage = { product, directory: join(directory, page.name), signal: interruption }
  const application = await createApplication(page, ofPage)
  note('installs')
  const beganAt = performance.now()
  await application.install()
  const installedIn = ((performance.now() - beganAt) / 1_000).toFixed(1)
  note('starts')
  const running = await application.start()
  try {
    if (page.sending !== undefined) {
      note('sends an event')
      const identifier = await receiveEvent(running, application.sendEvent)
      return note(`installed in ${installedIn} s; received the event of ${identifier.slice(0, 8)}…`)
    }
    note('logs in and out')
    const identifier = await logInAndOut(browser, application.url, { name: `Hanako ${page.name}`, product })
    note(`installed in ${installedIn} s; logged ${identifier.slice(0, 8)}… in and out`)
  } catch (error) {
    throw new SetupError(`${String(error)}\nThe application's output:\n${running.output()}`, { cause: error })
  } finally {
    await running.stop()
  }
}
