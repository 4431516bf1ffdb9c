import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import papaparse from 'papaparse'
import { expect } from 'vitest'
import { openManaged } from '../../test/managed.ts'
import { type CliOptions, socialLogin } from './harness.ts'

export type ImportTest = Awaited<ReturnType<typeof openImportTest>>

/** A shop into which tests import files. */
export async function openImportTest() {
  await using opening = new AsyncDisposableStack()
  const managed = opening.use(await openManaged())
  const directory = await mkdtemp(join(tmpdir(), 'import-'))
  opening.defer(() => rm(directory, { recursive: true }))
  const { account, site, token } = await managed.openShop()
  const environment = { SOCIAL_LOGIN_URL: managed.serviceStack.console.url, SOCIAL_LOGIN_TOKEN: token }

  /** Writes a file, of JSON unless it is text or bytes. */
  const write = async (content: unknown, name: string = randomUUID()): Promise<string> => {
    const path = join(directory, name)
    await writeFile(path, typeof content === 'string' || Buffer.isBuffer(content) ? content : JSON.stringify(content))
    return path
  }
  const run = (paths: readonly string[], options: readonly string[] = [], cli: CliOptions = {}) =>
    socialLogin(['users', 'import', ...paths, '--account', account, '--site-id', 'shop', ...options], {
      environment,
      ...cli,
    })
  const importText = async (content: unknown, options: readonly string[] = []) => run([await write(content)], options)

  /** Imports a file and returns its rejected lines as `line field reason`. */
  const rejectionsOf = async (content: unknown, options: readonly string[] = []): Promise<string[]> => {
    const report = join(directory, randomUUID())
    const { code, err } = await importText(content, ['--report', report, ...options])
    expect([code, err]).toEqual([10, expect.any(String)])
    const [, ...rows] = papaparse.parse<string[]>(await readFile(report, 'utf8'), { skipEmptyLines: true }).data
    // What the file left out has no line.
    return rows.filter(([line]) => line !== '').map((row) => row.join(' '))
  }
  const find = async (id: string) => {
    const { identity, call } = managed.serviceStack
    const { users } = await identity.findUsers({ site, id }, call())
    return Promise.all(users.map(({ identifier }) => identity.resolveUser({ site, identifier }, call())))
  }
  const linksOf = async (id: string) => {
    const [found] = await find(id)
    return found?.links.map(({ provider, provider_user_id }) => `${provider} ${provider_user_id}`).sort()
  }
  const profileOf = async (id: string) => {
    const [found] = await find(id)
    const { profile, call } = managed.serviceStack
    return profile.readProfile({ site, identifier: found?.user.identifier ?? '' }, call())
  }
  const countBlocked = async () => {
    const { identity, call } = managed.serviceStack
    return (await identity.listUsers({ site, limit: 1, blocked: true }, call())).total
  }
  const opened = opening.move()
  return {
    managed,
    account,
    site,
    directory,
    write,
    run,
    importText,
    rejectionsOf,
    find,
    linksOf,
    profileOf,
    countBlocked,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}
