import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { SetupError } from '#local'
import type { Note } from '../../deploy/local/progress.ts'
import { root } from '../../deploy/local/settings.ts'
import { openBrowser, openContext } from '../../testing/browser.ts'
import type { ClusterPrograms, Release } from './release.ts'

const page = 'docs/operate/first-login-on-kubernetes.md'
const shopAddress = 'http://localhost:8088'

/**
 * Follows the page about the first login, with its commands and a browser, up to the removal.
 *
 * @returns a summary
 * @throws SetupError with the commands that failed and what they printed
 */
export async function followFirstLogin({ programs, images }: Release, note: Note): Promise<string> {
  const { registry, tag, servers } = images
  const sections = readFirstLoginSteps()
  const folder = mkdtempSync(join(tmpdir(), 'first-login-'))
  writeClients(folder, programs, servers)
  const shell = new Shell(folder)
  let user = ''
  try {
    for (const { title, commands } of sections) {
      note(title)
      const isFirst = title === '1. Name the image'
      const printed = await shell.run(isFirst ? `registry=${registry}\ntag=${tag}` : commands)
      if (title === '9. Log in') user = await logInToShop()
      if (title === '10. Call the Web API' && !printed.includes(user))
        throw new SetupError(`The Web API did not return the user ${user}, but:\n${printed}`)
    }
  } finally {
    await shell.end()
    rmSync(folder, { recursive: true })
  }
  return `${sections.length - 1} steps and the removal`
}

interface PageSection {
  readonly title: string
  readonly commands: string
}

/** The commands of each step of the page, and of the removal. */
export function readFirstLoginSteps(): readonly PageSection[] {
  const [, ...sections] = readFileSync(join(root, page), 'utf8').split(/^##+ (?=\d|Remove)/m)
  return sections.map((section) => ({
    title: section.slice(0, section.indexOf('\n')),
    commands: [...section.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, text = '']) => text).join('\n'),
  }))
}

/** Writes the clients under their usual names: a Helm that gives dev-deps the images which this cluster has for its servers. */
function writeClients(
  folder: string,
  { kubectl, helm }: ClusterPrograms,
  servers: Readonly<Record<string, string>>,
): void {
  symlinkSync(kubectl, join(folder, 'kubectl'))
  const set = Object.entries(servers).map(([name, image]) => `--set ${name}=${image}`)
  const add = `[ "$1 $2" != "install dev-deps" ] || set -- "$@" ${set.join(' ')}`
  writeFileSync(join(folder, 'helm'), `#!/bin/sh\n${add}\nexec '${helm}' "$@"\n`, { mode: 0o755 })
}

/** A shell that runs one group of commands after another, with programs of a folder. */
class Shell {
  readonly #folder: string
  readonly #process: ChildProcess
  readonly #ended: Promise<unknown>
  #output = ''

  constructor(folder: string) {
    this.#folder = folder
    const env = { ...process.env, PATH: `${folder}${delimiter}${process.env.PATH}` }
    this.#process = spawn('bash', ['-e'], { cwd: root, env, stdio: ['pipe', 'pipe', 'pipe'], detached: true })
    for (const stream of [this.#process.stdout, this.#process.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.#output += text
      })
    this.#ended = once(this.#process, 'close')
  }

  /** @returns what the commands print, also those in the background */
  async run(commands: string): Promise<string> {
    this.#output = ''
    const end = `end of commands ${Math.random()}`
    const file = join(this.#folder, 'commands')
    writeFileSync(file, commands)
    // The commands cannot read the input of the shell, which is the next group.
    this.#process.stdin?.write(`. ${file} </dev/null\necho '${end}'\n`)
    while (!this.#output.includes(end)) {
      if (this.#process.exitCode !== null) throw new SetupError(`These commands failed:\n${commands}\n${this.#output}`)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    return this.#output
  }

  /** Ends the shell and what it started. */
  async end(): Promise<void> {
    this.#process.stdin?.end()
    try {
      process.kill(-(this.#process.pid ?? 0), 'SIGTERM')
    } catch {
      // Everything has ended already.
    }
    await this.#ended
  }
}

/** Logs in as the page says. @returns the identifier that the shop shows */
async function logInToShop(): Promise<string> {
  await using browser = await openBrowser({ handlesSignals: false })
  const context = await openContext(browser)
  const page = await context.newPage()
  await page.goto(shopAddress)
  await page.getByRole('link', { name: 'Sign in with Google' }).click()
  await page.getByRole('textbox').fill('Hanako')
  await page.getByRole('button', { name: 'Allow' }).click()
  return await page.getByTestId('identifier').innerText()
}
