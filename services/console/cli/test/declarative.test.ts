import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { startForeignProvider } from '../../../provider-auth/test/foreign-provider.ts'
import { sortDeep } from '../domain/changes.ts'
import { accountWith, prepareFileCommands } from './declarative-harness.ts'
import { socialLogin } from './harness.ts'

// The console also has accounts of other test files, with random IDs. The accounts of this file have fixed names, which plans print.
const { directory, operator, environmentOf, fileOf, apply, plan } = await prepareFileCommands()

const ordered = (yaml: string) => stringify(sortDeep(parse(yaml)))
const web = { kind: 'confidential', redirect_uris: ['https://shop.example.com/callback'] }

test('the example of the documentation is applied to a new account and exported as the same text', async () => {
  const page = await readFile(new URL('../../../../docs/use/command-line.md', import.meta.url), 'utf8')
  const example = /```yaml\n(accounts:[\s\S]*?)```/.exec(page)?.[1] ?? ''
  const environment = {
    DEMO_SHOP_MESSAGING_CLIENT_SECRET: 'messaging-secret',
    DEMO_SHOP_MESSAGING_WEBHOOK_SECRET: 'webhook-secret',
    DEMO_SHOP_SOCIAL_CLIENT_SECRET: 'social-secret',
  }
  const secretsFile = join(directory, 'secrets.jsonl')

  const created = await apply(example, ['--yes', '--secrets-out', secretsFile], { environment })
  expect(created).toMatchObject({ code: 0, out: '' })
  expect(created.err).toContain('10 to create, 0 to change, 0 to remove.')

  const secrets = (await readFile(secretsFile, 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(secrets).toMatchObject([
    { subject: 'client demo/shop/Shop', client_secret: expect.any(String) },
    { subject: 'API key demo/shop/backend', api_key: expect.any(String) },
    { subject: 'webhook demo/shop/CRM', secret: expect.any(String) },
  ])
  expect((await stat(secretsFile)).mode & 0o777).toBe(0o600)
  for (const secret of [...Object.values(environment), secrets[0].client_secret, secrets[1].api_key, secrets[2].secret])
    expect(created.err).not.toContain(secret)
  const keys = await socialLogin(['keys', 'list', '--account', 'demo', '--site-id', 'shop', '--json'], {
    environment: operator,
  })
  expect(JSON.parse(keys.out).keys).toMatchObject([{ name: 'backend', last_four: secrets[1].api_key.slice(-4) }])

  expect(await apply(example)).toMatchObject({ code: 0, err: expect.stringContaining('No changes') })
  const { out, code } = await socialLogin(['export', '--account', 'demo'], { environment: operator })
  expect(code).toBe(0)
  expect(ordered(out)).toBe(ordered(example))
  expect(await plan(out)).toMatchObject({ code: 0 })
})

test('a plan lists the changes of each field and changes nothing', async () => {
  await apply(
    accountWith('drift', { domains: ['a.example', 'shop.example.com'], clients: { Web: { ...web, kind: 'public' } } }),
    ['--yes'],
  )
  const desired = accountWith('drift', {
    requests_per_window: 20_000,
    domains: ['c.example', 'shop.example.com'],
    clients: { Web: { ...web, kind: 'public', pkce: 'S256' } },
  })
  const { code, out } = await plan(desired)
  expect(out).toBe(
    [
      '~ client drift/shop/Web',
      '    pkce: required → S256',
      '~ site drift/shop',
      '    domains: - a.example',
      '    domains: + c.example',
      '    requests_per_window: 10000 → 20000',
      '0 to create, 2 to change, 0 to remove.',
      '',
    ].join('\n'),
  )
  expect(code).toBe(10)
  expect((await plan(desired)).out).toBe(out)
})

test('one apply changes a site to production and corrects its redirect URIs, and back', async () => {
  const local = { kind: 'confidential', redirect_uris: ['http://localhost:3000/callback'] }
  const development = { kind: 'development', clients: { Web: local, Old: local } }
  expect(await apply(accountWith('moved', development), ['--yes', '--print-secrets'])).toMatchObject({ code: 0 })
  const production = { kind: 'production', domains: ['example.com'], clients: { Web: web } }
  const applied = await apply(accountWith('moved', production), ['--yes', '--prune'])
  expect(applied.code, applied.err).toBe(0)
  const back = await apply(accountWith('moved', { ...development, domains: [] }), ['--yes', '--print-secrets'])
  expect(back.code, back.err).toBe(0)
})

test('a client moves to another domain in one apply, and to production on the way', async () => {
  const callback = (host: string) => ({ Web: { kind: 'confidential', redirect_uris: [`https://${host}/callback`] } })
  const from = { kind: 'development', domains: ['old.example'], clients: callback('old.example') }
  expect(await apply(accountWith('renamed', from), ['--yes', '--print-secrets'])).toMatchObject({ code: 0 })
  const to = { kind: 'production', domains: ['new.example'], clients: callback('new.example') }
  const applied = await apply(accountWith('renamed', to), ['--yes'])
  expect(applied.code, applied.err).toBe(0)
  expect((await plan(accountWith('renamed', to), ['--exit-code'])).code).toBe(0)
})

test('allowed addresses that allow every address are applied only if confirmed', async () => {
  await apply(accountWith('open', {}), ['--yes'])
  const open = accountWith('open', { allowed_addresses: ['0.0.0.0/0'] })
  const rejected = await apply(open, ['--yes'])
  expect(rejected).toMatchObject({ code: 5, err: expect.stringContaining('0.0.0.0/0 allows every IPv4 address.') })
  expect(rejected.err).toContain('set confirm to allow_all_addresses')
  expect(await apply(open, ['--yes', '--confirm', 'allow_all_addresses'])).toMatchObject({ code: 0 })
})

test('a provider that is not built in is applied by its definition, exported with it, and changed by a command', async () => {
  const foreign = await startForeignProvider({ clients: [] })
  onTestFinished(() => foreign[Symbol.asyncDispose]())
  const definition = { display_name: { en: 'Staff' }, protocol: { type: 'oidc', issuer: foreign.url } }
  const staff = { definition, client_id: 'login', client_secret: { from_env: 'STAFF_SECRET' } }
  const content = accountWith('with-provider', { provider_order: ['staff', 'search'], providers: { staff } })
  const environment = { ...operator, STAFF_SECRET: 'staff-secret' }
  const applied = await apply(content, ['--yes'], { environment })
  expect(applied.code, applied.err).toBe(0)
  expect(await plan(content)).toMatchObject({ code: 0 })

  const { out } = await socialLogin(['export', '--account', 'with-provider'], { environment })
  expect(parse(out).accounts['with-provider'].sites.shop.providers.staff).toMatchObject({
    definition: { protocol: { issuer: foreign.url, client_authentication: 'client_secret_basic' } },
  })

  const file = await fileOf({ display_name: { en: 'Employees' }, protocol: definition.protocol })
  const name = ['--account', 'with-provider', '--site-id', 'shop', '--provider', 'staff']
  const save = ['providers', 'save', ...name, '--client-id', 'login', '--definition', file, '--revision', '1']
  const saved = await socialLogin(save, { environment })
  expect(saved.code, saved.err).toBe(0)
  const missing = accountWith('with-provider', {
    providers: { other: { client_id: '1', client_secret: staff.client_secret } },
  })
  const rejected = await apply(missing, ['--yes'], { environment })
  expect(rejected.code).not.toBe(0)
  expect(rejected.err).toContain('definition')
})

test('stored secrets are one note, and diff exits with 10 if something differs', async () => {
  const secret = { from_env: 'STORED_SECRET' }
  const providers = Object.fromEntries(
    ['messaging', 'search', 'social'].map((name) => [name, { client_id: '1', client_secret: secret }]),
  )
  const environment = { ...operator, STORED_SECRET: 'stored-secret-0123456789' }
  const applied = await apply(accountWith('noted', { providers }), ['--yes'], { environment })
  expect(applied.code, applied.err).toBe(0)
  const { out } = await plan(accountWith('noted', { providers }))
  expect(out).toContain('3 secrets are already stored and were not compared')
  expect(out.match(/--update-secrets/g)).toHaveLength(1)
  const diff = (site: object) =>
    socialLogin(['diff', '-f', '-'], { environment, stdin: stringify(accountWith('noted', site)) })
  expect(await diff({ providers })).toMatchObject({ code: 0 })
  const differs = await diff({ name: 'Another' })
  expect(differs).toMatchObject({ code: 10, out: expect.stringContaining('name: Shop → Another') })
})

test('a rejected apply says why in its first line', async () => {
  const issuing = await apply(accountWith('reasons', { api_keys: ['backend'] }), ['--yes'])
  expect(issuing.err.split('\n')[0]).toContain('This plan issues secrets that are shown only once.')
  await apply(accountWith('reasons', {}), ['--yes'])
  const local = { kind: 'public', redirect_uris: ['http://localhost/cb'] }
  const { code, err } = await apply(accountWith('reasons', { clients: { Web: local } }), ['--yes'])
  expect(code).toBe(2)
  const lines = err.slice(err.indexOf('social-login: ')).split('\n')
  expect(lines.slice(0, 2)).toEqual([
    'social-login: redirect_uris.0 must use https because the site is a production site',
    'Failed step: client reasons/shop/Web, in the files at accounts.reasons.sites.shop.clients.Web.',
  ])
})

test('a change after the plan was shown is not overwritten, and the next plan shows it', async () => {
  await apply(accountWith('race', {}), ['--yes'])
  const stdin = Readable.from(
    (async function* () {
      const change = ['sites', 'change', '--account', 'race', '--site-id', 'shop', '--name', 'Theirs']
      expect(await socialLogin(change, { environment: operator })).toMatchObject({ code: 0 })
      yield Buffer.from('yes\n')
    })(),
  )
  const { code, err } = await apply(accountWith('race', { domains: ['a.example'] }), [], { stdin, interactive: true })
  expect(err).toContain('Someone else changed this')
  expect(err).toContain('0 of 1 steps were completed.')
  expect(err).toContain('Run plan again')
  expect(code).toBe(5)
  expect((await plan(accountWith('race', { domains: ['a.example'] }))).out).toContain('name: Theirs → Shop')
})

test('apply stops at the first error and lists completed and remaining steps; after a fix it continues', async () => {
  const clients = {
    Bad: { ...web, redirect_uris: ['http://shop.example.com/callback'] },
    Web: { ...web, kind: 'public' },
  }
  const stopped = await apply(accountWith('half', { clients }), ['--yes', '--print-secrets'])
  expect(stopped.code).toBe(2)
  expect(stopped.err).toContain('+ site half/shop: done')
  expect(stopped.err).toMatch(
    /redirect_uris.*client half\/shop\/Bad, in the files at accounts\.half\.sites\.shop\.clients\.Bad\./s,
  )
  expect(stopped.err).toContain('2 of 4 steps were completed. Not started:\n  + client half/shop/Web\n')
  const mended = await apply(accountWith('half', { clients: { Bad: web, Web: { ...web, kind: 'public' } } }), [
    '--yes',
    '--print-secrets',
  ])
  expect(mended.err).toContain('2 to create, 0 to change')
  expect(mended.code).toBe(0)
  expect(JSON.parse(mended.out)).toMatchObject({ subject: 'client half/shop/Bad', client_secret: expect.any(String) })
})

test('clients and keys that are not in the files are removed only with --prune', async () => {
  const both = {
    clients: { Web: { ...web, kind: 'public' }, Old: { ...web, kind: 'public' } },
    api_keys: ['old', 'new'],
  }
  await apply(accountWith('prune', both), ['--yes', '--print-secrets'])
  const fewer = accountWith('prune', { clients: { Web: { ...web, kind: 'public' } }, api_keys: ['new'] })
  expect((await plan(fewer)).out).toContain('client prune/shop/Old is not in the files; --prune removes it.')
  expect(await apply(fewer, ['--yes', '--prune'])).toMatchObject({
    code: 0,
    err: expect.stringContaining('2 to remove'),
  })
  expect(await plan(fewer, ['--prune'])).toMatchObject({ code: 0 })
  const { out } = await socialLogin(['export', '--account', 'prune'], { environment: operator })
  expect(parse(out).accounts.prune.sites.shop).toMatchObject({ clients: { Web: {} }, api_keys: ['new'] })
})

test.each([
  [
    'a secret that is not to be had',
    {},
    ['--yes'],
    'refused.sites.shop.providers.search.client_secret: NOWHERE is not set',
  ],
  ['no terminal for the confirmation', { NOWHERE: 'x' }, [], 'no terminal to confirm the plan'],
])('with %s no step is started', async (_what, environment, args, complaint) => {
  const site = { providers: { search: { client_id: '1', client_secret: { from_env: 'NOWHERE' } } } }
  const { code, err } = await apply(accountWith('refused', site), args, { environment })
  expect(err).toContain(complaint)
  expect(code).toBe(2)
  const { out } = await socialLogin(['accounts', 'list', '--json'], { environment: operator })
  expect(out).not.toContain('refused')
})

test('without a destination for issued secrets no step is started', async () => {
  const { code, err } = await apply(accountWith('placeless', { api_keys: ['backend'] }), ['--yes'])
  expect(err).toContain('--secrets-out <file> or --print-secrets. Nothing was changed.')
  expect(code).toBe(2)
})

test('an editor applies a file without the fields that only operators can change', async () => {
  await apply(accountWith('edited', {}), ['--yes'])
  const environment = await environmentOf('edited', 'editor')
  const small = { accounts: { edited: { sites: { shop: { domains: ['shop.example.com'] } } } } }
  expect(await apply(small, ['--yes'], { environment })).toMatchObject({ code: 0 })
  const limit = { accounts: { edited: { sites: { shop: { requests_per_window: 20_000 } } } } }
  const rejected = await apply(limit, ['--yes'], { environment })
  expect(rejected.err).toContain('Only operators can change the limit and the fixed-address option.')
  expect(rejected.code).toBe(3)
})

test('commands work with a real console', async () => {
  await apply(accountWith('single', {}), ['--yes'])
  const site = ['--account', 'single', '--site-id', 'shop']
  const run = (...args: string[]) => socialLogin([...args, ...site, '--json'], { environment: operator })
  const changed = await run('sites', 'change', '--domains', 'a.example', '--no-login-history-days')
  expect(JSON.parse(changed.out)).toMatchObject({
    domains: ['a.example'],
    login_history_days: null,
    revision: expect.any(Number),
  })
  const stale = await run('sites', 'change', '--name', 'Late', '--revision', '0')
  expect(stale).toMatchObject({ code: 5, err: expect.stringContaining('Someone else changed this') })
  const missing = await run('clients', 'show', '--client-id', 'nobody')
  expect(missing.code).toBe(4)
  const saved = await run(
    'providers',
    'save',
    '--provider',
    'search',
    '--client-id',
    '1',
    '--client-secret-file',
    await fileOf('s3cret'),
  )
  expect(JSON.parse(saved.out)).toMatchObject({ provider: 'search', has_client_secret: true })
  const listed = await socialLogin(['audit', 'list', '--account', 'single', '--limit', '2'], { environment: operator })
  expect(listed.out).toContain('saveProviderSettings')
  expect(listed.out).not.toContain('s3cret')
})
