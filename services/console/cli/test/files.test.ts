import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { socialLogin, startStubServer } from './harness.ts'

const environment = { SOCIAL_LOGIN_URL: 'http://127.0.0.1:1', SOCIAL_LOGIN_TOKEN: 'slt_test' }

/** Plans these files without a console. */
async function planned(...texts: readonly string[]) {
  const directory = await mkdtemp(join(tmpdir(), 'social-login-'))
  const names = texts.map((_, at) => join(directory, `${at + 1}.yaml`))
  await Promise.all(texts.map((text, at) => writeFile(names[at] ?? '', text)))
  const { code, out, err } = await socialLogin(['plan', ...names.flatMap((name) => ['-f', name])], { environment })
  return { code, out, err: err.replaceAll(`${directory}/`, '') }
}

const site = `accounts:
  demo:
    sites:
      shop:
`

test.each([
  ['no YAML', 'accounts: {', '1.yaml:1: '],
  ['nothing', '', '1.yaml:1: the file '],
  ['the same key twice', 'accounts:\n  demo: {}\n  demo: {}\n', '1.yaml:3: Map keys must be unique'],
  ['an unknown key', `${site}        nam: Shop\n`, '1.yaml:5: accounts.demo.sites.shop.nam is not a known field'],
  ['a name that cannot be', 'accounts:\n  Demo!: {}\n', '1.yaml:2: accounts.Demo! is not an allowed name'],
  [
    'a value that cannot be',
    `${site}        name: Shop\n        kind: staging\n`,
    '1.yaml:6: accounts.demo.sites.shop.kind must be one of development, production',
  ],
  [
    'an entry of a list',
    `${site}        allowed_addresses:\n          - 192.0.2.1\n          - 192.0.2.1/24\n`,
    '1.yaml:7: accounts.demo.sites.shop.allowed_addresses.1 ',
  ],
  [
    'a number where text belongs',
    `${site}        providers:\n          messaging:\n            client_id: 123\n`,
    '1.yaml:7: accounts.demo.sites.shop.providers.messaging.client_id must be a string; put it in quotes',
  ],
  [
    'a missing key',
    `${site}        providers:\n          messaging:\n            enabled: true\n`,
    '1.yaml:6: accounts.demo.sites.shop.providers.messaging.client_id is missing',
  ],
  [
    'a secret',
    `${site}        providers:\n          messaging:\n            client_id: "1"\n            client_secret: hunter2\n`,
    '1.yaml:8: accounts.demo.sites.shop.providers.messaging.client_secret must be { from_env: NAME } or { from_file: path }',
  ],
  [
    'a secret among the options',
    `${site}        providers:\n          messaging: { client_id: "1", options: { webhook_secret: hunter2 } }\n`,
    '1.yaml:6: accounts.demo.sites.shop.providers.messaging.options.webhook_secret is a secret',
  ],
  [
    'an option of another provider',
    `${site}        providers:\n          social: { client_id: "1", options: { protocol: oauth2 } }\n`,
    '1.yaml:6: accounts.demo.sites.shop.providers.social.options.protocol is not an option of this provider',
  ],
  [
    'an option that is needed',
    `${site}        providers:\n          device: { client_id: "1", options: { team_id: ABCDEFGHIJ } }\n`,
    '1.yaml:6: accounts.demo.sites.shop.providers.device.options.key_id is missing',
  ],
])('a file with %s is rejected with line and path', async (_what, text, complaint) => {
  const { code, out, err } = await planned(text)
  expect(err).toContain(complaint)
  expect(err).not.toContain('hunter2')
  expect({ code, out }).toEqual({ code: 2, out: '' })
})

test('all problems are reported at once', async () => {
  const { err } = await planned(`${site}        nam: Shop\n        kind: staging\n        domains: [a_b!]\n`)
  expect(err.trim().split('\n')).toHaveLength(3)
})

test('a site can be in one file only', async () => {
  const { code, err } = await planned(`${site}        name: Shop\n`, `${site}        kind: production\n`)
  expect(err).toMatch(/accounts\.demo\.sites\.shop is in .*1\.yaml and in .*2\.yaml\. Remove one of them\./)
  expect(code).toBe(2)
})

test('a missing file is reported', async () => {
  const { code, err } = await socialLogin(['plan', '-f', '/nowhere.yaml'], { environment })
  expect(err).toContain('/nowhere.yaml cannot be read (ENOENT)')
  expect(code).toBe(2)
})

test('the JSON Schema has the sections and no secret values', async () => {
  const { out } = await socialLogin(['schema'])
  const siteSchema = JSON.parse(out).properties.accounts.additionalProperties.properties.sites.additionalProperties
  expect(Object.keys(siteSchema.properties)).toEqual(expect.arrayContaining(['providers', 'clients', 'api_keys']))
  expect(siteSchema.additionalProperties).toBe(false)
})

const change = ['users', 'change-metadata', '--account', 'demo', '--site-id', 'shop', '--identifier', 'a'.repeat(40)]

test('metadata is sent as a file has it', async () => {
  const metadata = { user_metadata: {}, app_metadata: {}, revision: 1 }
  await using server = await startStubServer({ status: 200, body: metadata })
  const args = [...change, '--app-metadata', '-', '--revision', '0']
  const text = 'limits: { height: 1.50, ids: [9007199254740991, "9007199254740993"] }\nplan: null\n'
  expect(await socialLogin(args, { environment: server.environment, stdin: text })).toMatchObject({ code: 0 })
  expect(JSON.parse(server.received.at(-1)?.body ?? '')).toEqual({
    app_metadata: { limits: { height: 1.5, ids: [9007199254740991, '9007199254740993'] }, plan: null },
  })
})

test.each(['0.12345678901234567', '9007199254740993', '[+1e400]'])(
  'a number that would be rounded is rejected with its line: %s',
  async (number) => {
    const args = [...change, '--app-metadata', '-']
    const { code, err } = await socialLogin(args, { environment, stdin: `plan: free\nlimit: ${number}\n` })
    expect(code).toBe(2)
    expect(err).toContain('--app-metadata -: The number at line 2 has more digits than can be stored exactly.')
  },
)
