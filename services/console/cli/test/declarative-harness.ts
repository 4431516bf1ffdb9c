import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { openForTest, sharedStack } from '#testing'
import { insertToken } from '../../store/tokens.ts'
import { type CliOptions, socialLogin } from './harness.ts'

/** Prepares the commands for files, with an operator token of the shared console. */
export async function prepareFileCommands() {
  const serviceStack = await sharedStack()
  const directory = await mkdtemp(join(tmpdir(), 'social-login-'))

  /** The environment of a shell with a token; without an account, an operator token. */
  async function environmentOf(account: string | null, role: 'viewer' | 'editor' | 'owner' | null) {
    const { url, database_url } = serviceStack.console
    await using database = openForTest(database_url)
    const now = new Date()
    const expiresAt = new Date(now.getTime() + 3_600_000)
    const { token } = await insertToken(database.knex, { account, role, name: 'test', expires_at: expiresAt, now })
    return { SOCIAL_LOGIN_URL: url, SOCIAL_LOGIN_TOKEN: token }
  }

  const operator = await environmentOf(null, null)
  let files = 0

  async function fileOf(content: unknown): Promise<string> {
    const name = join(directory, `${++files}.yaml`)
    await writeFile(name, typeof content === 'string' ? content : stringify(content))
    return name
  }

  async function apply(content: unknown, args: readonly string[] = [], surroundings: CliOptions = {}) {
    const environment = { ...operator, ...surroundings.environment }
    return socialLogin(['apply', '-f', await fileOf(content), ...args], { ...surroundings, environment })
  }

  async function plan(content: unknown, args: readonly string[] = []) {
    return socialLogin(['plan', '-f', await fileOf(content), '--exit-code', ...args], { environment: operator })
  }

  return { serviceStack, directory, operator, environmentOf, fileOf, apply, plan }
}

/** A new account with a site, in the file format. */
export function accountWith(account: string, site: object) {
  return { accounts: { [account]: { name: account, sites: { shop: { name: 'Shop', kind: 'production', ...site } } } } }
}
