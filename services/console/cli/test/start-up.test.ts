import { spawnSync } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { nodeEnvironment } from '#testing'
import { describeCommands } from '../describe-commands.ts'
import { socialLogin } from './harness.ts'

const main = fileURLToPath(new URL('../main.ts', import.meta.url))

/** URLs of the modules that a run of the command line loads. */
function loadedBy(...args: string[]): string[] {
  const observer = `import { registerHooks } from 'node:module'
    registerHooks({ load(url, context, next) { process.stderr.write('loaded ' + url + '\\n'); return next(url, context) } })`
  const directory = mkdtempSync(join(tmpdir(), 'social-login-'))
  const { stderr } = spawnSync(
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      '--import',
      `data:text/javascript,${encodeURIComponent(observer)}`,
      main,
      ...args,
    ],
    { encoding: 'utf8', env: { ...nodeEnvironment, HOME: directory, SOCIAL_LOGIN_URL: 'http://127.0.0.1:1' } },
  )
  const loaded = [...stderr.matchAll(/^loaded (.*)$/gm)].map(([, url = '']) => url)
  expect(
    loaded.some((url) => url.endsWith('/cli/program.ts')),
    stderr,
  ).toBe(true)
  return loaded
}

const heavy =
  /\/node_modules\/(zod|yaml|string-width)\/|\/libs\/|\/cli\/(api|carry-out|describe)\.ts$|\/declarative\/actions\.ts$/

test.each([
  ['completion', ['complete', '--', 'sites', 'c']],
  ['completion of options', ['complete', '--', 'sites', 'change', '--']],
  ['the version', ['--version']],
  ['help', ['--help']],
  ['help of a command', ['clients', 'create', '--help']],
  ['a mistyped command', ['sties']],
])('%s loads neither the contract nor the code of commands', (_, args) => {
  const loaded = loadedBy(...args).filter((url) => !url.startsWith('node:'))
  expect(loaded.filter((url) => heavy.test(url))).toEqual([])
  // A dozen modules of commander and about as many of ours.
  expect(loaded.length).toBeLessThan(40)
})

test('a command loads its code', () => {
  expect(loadedBy('sites', 'list', '--account', 'demo').some((url) => heavy.test(url))).toBe(true)
})

test('commands.json matches the contract; -u updates it', async () => {
  await expect(`${JSON.stringify(describeCommands(), null, 2)}\n`).toMatchFileSnapshot('../commands.json')
})

test('--version prints the version of the package', async () => {
  expect(await socialLogin(['--version'])).toEqual({ code: 0, out: '0.1.0\n', err: '' })
})

test('options of fields have other names than general options', () => {
  const general = [
    'url',
    'token-file',
    'profile',
    'allow-http',
    'output',
    'columns',
    'json',
    'input',
    'yes',
    'revision',
  ]
  const clashes = describeCommands().flatMap(({ words, fields }) =>
    fields.flatMap(({ option }) => (general.includes(option) ? [`${words} --${option}`] : [])),
  )
  expect(clashes).toEqual([])
})
