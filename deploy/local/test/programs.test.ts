import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { programList } from '../programs/program-list.ts'
import { searchPrograms } from '../programs/programs.ts'

let root: string
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'social-login-programs-'))
})
afterAll(async () => {
  await rm(root, { recursive: true, force: true })
})

/** Creates a program that only prints its version. */
async function place(folder: string, file: string, versionOutput: string): Promise<string> {
  await mkdir(join(root, folder), { recursive: true })
  const path = join(root, folder, file)
  await writeFile(path, `#!/bin/sh\n${versionOutput}\n`)
  await chmod(path, 0o755)
  return path
}

const only = (folder: string) => ({ PATH: join(root, folder) })

test('the newest suitable PostgreSQL is chosen by version number, in any directory', async () => {
  await place('path', 'postgres', 'echo "postgres (PostgreSQL) 9.6.24"')
  const inPath = await place('path-15', 'postgres', 'echo "postgres (PostgreSQL) 15.9 (Debian 15.9-0+deb12u1)"')
  const newest = await place('lib/17/bin', 'postgres', 'echo "postgres (PostgreSQL) 17.2"')
  const next = await place('lib/15/bin', 'postgres', 'echo "postgres (PostgreSQL) 15.18"')
  const beta = await place('lib/18/bin', 'postgres', 'echo "postgres (PostgreSQL) 18beta1"')
  const description = { ...programList.postgres, folders: [join(root, 'lib/*/bin')] }
  const found = await searchPrograms(description, { PATH: `${join(root, 'path')}:${join(root, 'path-15')}` })
  expect(found.map(({ path }) => path)).toEqual([beta, newest, next, inPath])
})

test('Valkey is accepted as Redis, and a Redis that is too old is rejected', async () => {
  const description = { ...programList.redis, folders: [] }
  await place(
    'old',
    'redis-server',
    'echo "Redis server v=6.2.14 sha=00000000:0 malloc=jemalloc-5.2.1 bits=64 build=1"',
  )
  expect(await searchPrograms(description, only('old'))).toEqual([])
  const valkey = await place(
    'old',
    'valkey-server',
    'echo "Valkey server v=8.0.1 sha=00000000:0 malloc=jemalloc bits=64"',
  )
  expect(await searchPrograms(description, only('old'))).toEqual([{ path: valkey, version: '8.0.1' }])
})

test('nats-server 2.10 is newer than 2.9, and 2.8 is too old', async () => {
  const description = { ...programList.nats, folders: [join(root, 'nats-*')] }
  await place('nats-a', 'nats-server', 'echo "nats-server: v2.9.25"')
  await place('nats-b', 'nats-server', 'echo "nats-server: v2.10.1"')
  await place('nats-c', 'nats-server', 'echo "nats-server: v2.8.4"')
  const found = await searchPrograms(description, {})
  expect(found.map(({ version }) => version)).toEqual(['2.10.1', '2.9.25'])
})

test('a program that does not print its version is skipped', async () => {
  const description = { ...programList.chromium, folders: [] }
  await place('stub', 'chromium-browser', 'echo "Please install the snap" >&2; exit 1')
  expect(await searchPrograms(description, only('stub'))).toEqual([])
})

test('CHROMIUM names the browser to use', async () => {
  const chosen = await place('mine', 'my-browser', 'echo "Google Chrome 141.0.7390.54 "')
  await place('other', 'chromium', 'echo "Chromium 150.0.1"')
  const found = await searchPrograms(programList.chromium, { ...only('other'), CHROMIUM: chosen })
  expect(found).toEqual([{ path: chosen, version: '141.0.7390.54' }])
})
