import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chownSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { User } from './unprivileged-user.ts'

/** Where root keeps what the other user cannot reach in the person's own folders, for example below /root. */
const far_root = '/var/lib/social-login-local'
const far_root_for_tests = '/tmp/social-login-local'
const pointer_name = 'kept-elsewhere'

/**
 * The folder, owned by the user, for what the server itself must reach: `directory`, or where the user cannot get there
 * one under /var/lib (for tests /tmp), which a pointer file in `directory` names.
 */
export function homeFor(user: User, directory: string, durable: boolean): string {
  if (reaches(user, dirname(directory))) {
    chownSync(directory, user.uid, user.gid)
    return directory
  }
  const root = durable ? far_root : far_root_for_tests
  const far = join(root, createHash('sha256').update(directory).digest('hex').slice(0, 16))
  writeFileSync(join(directory, pointer_name), `${far}\n`)
  mkdirSync(root, { recursive: true, mode: 0o755 })
  mkdirSync(far, { recursive: true, mode: 0o700 })
  chownSync(far, user.uid, user.gid)
  return far
}

/** Removes the home elsewhere, if `homeFor` made one. */
export function removeFarHome(directory: string): void {
  const pointer = join(directory, pointer_name)
  if (!existsSync(pointer)) return
  const far = readFileSync(pointer, 'utf8').trim()
  if ([far_root, far_root_for_tests].includes(dirname(far))) rmSync(far, { recursive: true, force: true })
  rmSync(pointer)
}

function reaches({ uid, gid }: User, directory: string): boolean {
  const asked = spawnSync('/bin/sh', ['-c', 'cd "$1"', 'sh', directory], { uid, gid, cwd: '/', stdio: 'ignore' })
  return asked.status === 0
}
