import { execFile } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { nodeEnvironment, seedSite, sharedStack } from '#testing'

/** The code of the guides, as a reader saves it in one directory. */
const directory = mkdtempSync(join(tmpdir(), 'social-login-guides-'))
let environment: NodeJS.ProcessEnv

beforeAll(async () => {
  for (const page of globSync('docs/use/guides/*.md'))
    for (const [, indent = '', name = '', code = ''] of readFileSync(page, 'utf8').matchAll(
      /^( *)```\w+ \[([\w.-]+)\]\n(.*?)^ *```/gms,
    ))
      writeFileSync(join(directory, name), code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''))
  const stack = await sharedStack()
  const { api_key } = await seedSite(stack)
  environment = { ...nodeEnvironment, WEB_API_URL: stack.web_api, API_KEY: api_key }
})
afterAll(() => rmSync(directory, { recursive: true }))

const save = (name: string, text: string) => writeFileSync(join(directory, name), text)

function run(script: string): Promise<{ code: number; output: string; errors: string }> {
  return new Promise((resolve) =>
    execFile(process.execPath, [script], { cwd: directory, env: environment }, (error, output, errors) =>
      resolve({ code: error === null ? 0 : 1, output, errors }),
    ),
  )
}

test('the example of "Retry safely" creates one user with two requests', async () => {
  expect(await run('try.mjs')).toMatchObject({ code: 0, output: 'true\n' })
})

test('the example of "Map users" maps a user, and reports an account of another user', async () => {
  save(
    'map.mjs',
    `import { mapUser } from './after-login.mjs'
     import { call } from './web-api.mjs'
     const first = await call('create_user')
     const second = await call('create_user')
     console.log(await mapUser(first.user.identifier, 'a'), await mapUser(second.user.identifier, 'a'))`,
  )
  expect(await run('map.mjs')).toMatchObject({ code: 0, output: 'true false\n' })
})

test('the script of "Migrate users" can run again, and reports lines that it cannot migrate', async () => {
  save('users.csv', 'customer-1,messaging,U1\ncustomer-2,search,2\n')
  const migrated = () => readFileSync(join(directory, 'migrated.csv'), 'utf8').split('\n').sort()
  expect(await run('migrate.mjs')).toMatchObject({ code: 0, output: 'All users are migrated.\n' })
  const before = migrated()
  expect(before).toHaveLength(3)
  save('migrated.csv', '')
  expect(await run('migrate.mjs')).toMatchObject({ code: 0 })
  expect(migrated()).toEqual(before)

  save('users.csv', 'customer-3,messaging,U1\ncustomer-1,search,9\ncustomer-4,shopping,4\n')
  const { code, errors } = await run('migrate.mjs')
  expect(code).toBe(1)
  expect(errors.trim().split('\n').sort()).toEqual([
    'customer-1,search,9: exists with another account',
    expect.stringMatching(/^customer-3,messaging,U1: .*linked_to_another_user/),
    'customer-4,shopping,4: shopping is not set up at the site',
  ])
})
