import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { User } from './unprivileged-user.ts'

/** Where root keeps what the other user cannot reach in the person's own folders, for example below /root. */
const farRoot = '/var/lib/social-login-local'
const temporary = '/tmp/social-login-postgres-'

/**
 * The folder, owned by the user, for what the server itself must reach: `directory`, or where the user cannot get there
 * one of its own under /var/lib, of which a file in `directory` tells. Data that need not last is then in /tmp.
 */
export function homeFor(user: User, directory: string, durable: boolean): string {
  const home = reaches(user, dirname(directory)) ? directory : durable ? farHome(directory) : mkdtempSync(temporary)
  chownSync(home, user.uid, user.gid)
  return home
}

/** Removes the home elsewhere, if `homeFor` made one for this directory. */
export function removeFarHome(directory: string): void {
  rmSync(farPath(directory), { recursive: true, force: true })
  if (existsSync(farRoot) && readdirSync(farRoot).length === 0) rmdirSync(farRoot)
}

function farHome(directory: string): string {
  const far = farPath(directory)
  const pointer = join(directory, 'kept-elsewhere')
  if (!existsSync(pointer)) removeFarHome(directory) // what an earlier directory left there that was removed by hand
  mkdirSync(farRoot, { recursive: true, mode: 0o755 })
  mkdirSync(far, { recursive: true, mode: 0o700 })
  writeFileSync(pointer, `${far}\n`)
  return far
}

function farPath(directory: string): string {
  return join(farRoot, createHash('sha256').update(directory).digest('hex').slice(0, 16))
}

function reaches({ uid, gid }: User, directory: string): boolean {
  const asked = spawnSync('/bin/sh', ['-c', 'cd "$1"', 'sh', directory], { uid, gid, cwd: '/', stdio: 'ignore' })
  return asked.status === 0
}
