import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { requireProgram } from '#local'
import type { Arm } from '../../measurement/arm.ts'
import { userStatement } from '../skeleton/statements.ts'

const run = promisify(execFile)

interface PgbenchOptions extends Pick<Arm, 'processes'> {
  readonly directory: string
  readonly identityUrl: string
}

/** The prepared look-up of a user by pgbench, whose own CPU time does not count; undefined where pgbench is not installed. */
export async function createPgbenchArm({
  directory,
  identityUrl,
  processes,
}: PgbenchOptions): Promise<Arm | undefined> {
  const program = await findPgbench()
  if (program === undefined) return undefined
  const script = join(directory, 'look-up.sql')
  writeFileSync(script, await createLookUp(identityUrl))
  return {
    name: 'prepared look-up by pgbench, Postgres alone',
    processes,
    async drive({ in_flight, lead_ms, duration_ms }, onCounting) {
      const pgbench = (milliseconds: number) => {
        const seconds = Math.max(1, Math.ceil(milliseconds / 1_000))
        const load = ['--client', String(in_flight), '--time', String(seconds)]
        return run(program, ['--no-vacuum', '--protocol', 'prepared', '--file', script, ...load, identityUrl])
      }
      if (lead_ms > 0) await pgbench(lead_ms)
      const beganAt = performance.now()
      onCounting()
      const { stdout } = await pgbench(duration_ms)
      const latency = readNumber(stdout, /latency average = ([\d.]+) ms/)
      return {
        completed: readNumber(stdout, /number of transactions actually processed: (\d+)/),
        seconds: (performance.now() - beganAt) / 1_000,
        p50_ms: latency,
        operations: {},
        p99_ms: Number.NaN,
      }
    },
  }
}

async function findPgbench(): Promise<string | undefined> {
  const { path } = await requireProgram('postgres')
  for (const program of [join(dirname(path), 'pgbench'), 'pgbench']) {
    try {
      await run(program, ['--version'])
      return program
    } catch {
      // Not there.
    }
  }
  return undefined
}

/** Looks up one user again and again: its rows are in the cache, as they would be for the other arms. */
async function createLookUp(identityUrl: string): Promise<string> {
  const database = new pg.Client({ connectionString: identityUrl })
  await database.connect()
  const { rows } = await database.query<{ site: number; identifier: string }>(
    'select site, identifier from users order by md5(identifier) limit 1',
  )
  await database.end()
  const [user] = rows
  if (user === undefined) throw new Error('There is no user.')
  return `\\set site ${user.site}\n${userStatement.text.replace('$1', ':site').replace('$2', `'${user.identifier}'`)};\n`
}

function readNumber(text: string, pattern: RegExp): number {
  return Number(pattern.exec(text)?.[1])
}
