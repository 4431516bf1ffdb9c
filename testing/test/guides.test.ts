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
