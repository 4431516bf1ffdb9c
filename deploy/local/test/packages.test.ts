import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { arePackagesInstalled } from '../installed-packages.js'

let root: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'social-login-packages-'))
  await mkdir(join(root, 'node_modules/.bin'), { recursive: true })
  await writeFile(join(root, 'node_modules/.bin/node'), '')
})
afterEach(async () => {
  await rm(root, { recursive: true, force: true })
})

const zod = { version: '4.0.0', integrity: 'sha512-zod' }

async function write(locked: object, installed: object): Promise<void> {
  await writeFile(join(root, 'package-lock.json'), JSON.stringify({ packages: { '': { name: 'root' }, ...locked } }))
  await writeFile(join(root, 'node_modules/.package-lock.json'), JSON.stringify({ packages: installed }))
}

test('is in step when all locked packages are installed, except those for other platforms', async () => {
  await write(
    { 'node_modules/zod': zod, 'node_modules/only-mac': { ...zod, optional: true } },
    { 'node_modules/zod': zod },
  )
  expect(arePackagesInstalled(root)).toBe(true)
})

test('is not in step when node_modules is missing', async () => {
  await write({ 'node_modules/zod': zod }, {})
  await rm(join(root, 'node_modules'), { recursive: true })
  expect(arePackagesInstalled(root)).toBe(false)
})

test('is not in step when a package has another version, other content, or is missing', async () => {
  await write({ 'node_modules/zod': zod }, { 'node_modules/zod': { ...zod, version: '4.0.1' } })
  expect(arePackagesInstalled(root)).toBe(false)
  await write({ 'node_modules/zod': zod }, { 'node_modules/zod': { ...zod, integrity: 'sha512-other' } })
  expect(arePackagesInstalled(root)).toBe(false)
  await write({ 'node_modules/zod': zod }, {})
  expect(arePackagesInstalled(root)).toBe(false)
})

test('is not in step when the pinned Node.js is missing', async () => {
  await write({ 'node_modules/node': zod }, { 'node_modules/node': zod })
  expect(arePackagesInstalled(root)).toBe(true)
  await rm(join(root, 'node_modules/.bin/node'))
  expect(arePackagesInstalled(root)).toBe(false)
})
