import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { z } from 'zod'
import { findPrograms } from '#local'

const [python] = await findPrograms('authlib')

/** Why Authlib cannot run on this machine, for test titles; undefined if it can. */
export const authlibMissing =
  python === undefined ? ' (not installed; Debian: python3-authlib python3-requests)' : undefined

const Result = z.record(z.string(), z.string())

/** One step of a login with Authlib in Python. */
export async function runAuthlib(given: Readonly<Record<string, string>>): Promise<z.infer<typeof Result>> {
  const child = spawn(python?.path ?? '', [join(import.meta.dirname, 'authlib-client.py')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  child.stdin.end(JSON.stringify(given))
  return Result.parse(JSON.parse(await text(child.stdout)))
}
