import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { mkdtempDisposable } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findFreePort } from '#local'
import { type ServiceStack, startStack } from '#testing'
import { buildPages, isStale } from '../../../services/console/web/build.ts'
import { root } from '../../local/settings.ts'

const readProgram = (name: string) => readFileSync(join(root, 'charts/social-login/files', name), 'utf8')
const programs = { smoke: readProgram('smoke.mjs'), login: readProgram('login.mjs') }
let serviceStack: ServiceStack
let publicUrls: Record<'WEB_API' | 'AUTHORIZATION' | 'CONSOLE', string>
let components: string[]

beforeAll(async () => {
  if (isStale()) await buildPages()
  serviceStack = await startStack()
  const { web_api, auth, console, services } = serviceStack
  publicUrls = { WEB_API: new URL(web_api).host, AUTHORIZATION: new URL(auth).host, CONSOLE: new URL(console.url).host }
  components = Object.values(services).flatMap((replicas) =>
    replicas.map(({ operations_port }) => `localhost:${operations_port}`),
  )
})
afterAll(() => serviceStack[Symbol.asyncDispose]())

/** Runs the script as the pod of `helm test` does. @param onWait called when it has to try again */
function smoke(environment: Readonly<Record<string, string>>, onWait?: () => void) {
  return runProgram(programs.smoke, environment, onWait)
}

/** Runs the login test with an operator's token. */
async function logIn(token: string, environment: Readonly<Record<string, string>> = {}) {
  const { auth, simulator } = serviceStack
  await using directory = await mkdtempDisposable(join(tmpdir(), 'login-test-'))
  const tokenFile = join(directory.path, 'token')
  writeFileSync(tokenFile, `${token}\n`)
  return await runProgram(programs.login, {
    ...publicUrls,
    AUTH_URL: auth,
    SIMULATOR_URL: simulator,
    SIMULATOR_INTERNAL_URL: simulator,
    OPERATOR_TOKEN_FILE: tokenFile,
    ...environment,
  })
}

function runProgram(
  program: string,
  environment: Readonly<Record<string, string>>,
  onWait: () => void = () => {},
): Promise<{ code: unknown; output: string }> {
  const args = ['--input-type=module', '--eval', program]
  return new Promise((resolve) => {
    const pod = execFile(process.execPath, args, { env: environment }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, output: stdout + stderr }),
    )
    pod.stdout?.on('data', (text: string) => {
      if (text.includes('wait ')) onWait()
    })
  })
}

test('helm test succeeds when every service is ready and every public address responds', async () => {
  const { code, output: said } = await smoke({ ...publicUrls, COMPONENTS: components.join(',') })
  expect(said).not.toContain('WRONG')
  expect(code).toBe(0)
  expect(said.match(/^ok /gm)).toHaveLength(components.length + 3)
})

test('helm test names what does not respond or returns an unexpected response', async () => {
  const { code, output: said } = await smoke({
    ...publicUrls,
    RETRY_SECONDS: '0',
    WEB_API: publicUrls.CONSOLE,
    COMPONENTS: `localhost:${await findFreePort()}`,
  })
  expect(code).toBe(1)
  expect(said).toMatch(/^WRONG localhost:\d+ can serve: .* did not answer, ECONNREFUSED$/m)
  expect(said).toMatch(/^WRONG the Web API requires a key/m)
})

test('helm test succeeds if its pod can connect only after a while', async () => {
  const port = await findFreePort()
  await using listening = new AsyncDisposableStack()
  const { code, output: said } = await smoke({ COMPONENTS: `localhost:${port}` }, () => {
    const server = createServer((_, response) => response.end()).listen(port)
    listening.defer(() => void server.close())
  })
  expect(said).toContain(
    `wait  localhost:${port} can serve: http://localhost:${port}/readyz did not answer, ECONNREFUSED`,
  )
  expect(said).toContain(`ok    localhost:${port} can serve`)
  expect(code).toBe(0)
})

test('helm test makes a whole login with an operator token, any number of times, and leaves no user, client or key', async () => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['services/console/issue-operator-token.ts', '--name', 'helm test', '--days', '1'],
    { cwd: root, env: { DATABASE_URL: serviceStack.console.database_url } },
  )
  const [token = ''] = stdout.split('\n')
  for (let n = 0; n < 3; n++) {
    const { code, output } = await logIn(token, { RETRY_SECONDS: '20' })
    expect(output).not.toMatch(/WRONG|Not removed/)
    expect(output.match(/^ok /gm)).toHaveLength(4)
    expect(code).toBe(0)
  }
  const site = `${serviceStack.console.url}/admin/v1/accounts/helm-test/sites/helm-test`
  const list = async (what: string) => {
    const response = await fetch(`${site}/${what}`, { headers: { authorization: `Bearer ${token}` } })
    return JSON.stringify(await response.json())
  }
  expect(await list('users')).toMatch(/"users":\[\]/)
  expect(await list('clients')).toMatch(/"clients":\[\]/)
  expect(await list('keys')).not.toMatch(/"revoked_at":null/)
})

test('helm test says which step of the login failed', async () => {
  const { code, output } = await logIn('slt_wrong', { RETRY_SECONDS: '0' })
  expect(output).toMatch(/^WRONG an operator sets up a site: .*\/admin\/v1\/accounts answered 401$/m)
  expect(code).toBe(1)
})
