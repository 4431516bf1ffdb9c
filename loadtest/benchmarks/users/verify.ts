import pg from 'pg'
import { limit, type PageCase } from './cases.ts'
import type { Stage } from './stage.ts'

pg.types.setTypeParser(pg.types.builtins.INT8, Number)

export interface Verified {
  /** Totals by `count(*)` for each case, and the time it took. */
  readonly totals: readonly { readonly total: number; readonly count_ms: number; readonly offset_ms: number }[]
  /** The differences from the results of the plain statements. */
  readonly wrong: readonly string[]
  readonly postgres: string
}

const secondsOf: Readonly<Record<string, number>> = { h: 3_600, d: 86_400 }

/** Compares totals with `count(*)` and the last pages, and one halfway, with those of `offset`. */
export async function verify(
  { requestPage, site }: Stage,
  cases: readonly PageCase[],
  databaseUrl: string,
): Promise<Verified> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const totals: Verified['totals'][number][] = []
    const wrong: string[] = []
    for (const { title, filter, last_page } of cases) {
      const pages = await measureWithinSecond(async () => ({
        last: await requestPage({ ...filter, limit: String(limit), page: String(last_page) }),
        halfway: await requestPage({ ...filter, limit: String(limit), page: String(Math.floor(last_page / 2)) }),
      }))
      const users = `from users where ${conditions(filter, site, pages.second)}`
      const counting = await timed(() => client.query<{ total: number }>(`select count(*) as total ${users}`))
      const total = counting.result.rows[0]?.total ?? Number.NaN
      for (const { total: reported } of [pages.last, pages.halfway]) {
        if (reported !== total) wrong.push(`${title}: total ${reported} instead of ${total}`)
      }
      const pageAt = async (page: number) => {
        const statement = `select identifier ${users} order by identifier offset ${page * limit} limit ${limit}`
        const { result, took_ms } = await timed(() => client.query<{ identifier: string }>(statement))
        return { identifiers: result.rows.map(({ identifier }) => identifier), took_ms }
      }
      const last = await pageAt(last_page)
      const halfway = await pageAt(Math.floor(last_page / 2))
      if (last.identifiers.join() !== pages.last.users.join()) wrong.push(`${title}: last page`)
      if (halfway.identifiers.join() !== pages.halfway.users.join()) wrong.push(`${title}: page halfway`)
      totals.push({ total, count_ms: counting.took_ms, offset_ms: last.took_ms })
    }
    const { rows } = await client.query<{ server_version: string }>('show server_version')
    return { totals, wrong, postgres: rows[0]?.server_version ?? '' }
  } finally {
    await client.end()
  }
}

/** Repeats the requests until all are in the same second, because periods end at the second of the request. */
async function measureWithinSecond<T>(sendRequest: () => Promise<T>): Promise<T & { second: number }> {
  for (;;) {
    const second = Math.floor(Date.now() / 1_000)
    const result = await sendRequest()
    if (Math.floor(Date.now() / 1_000) === second) return { ...result, second }
  }
}

function conditions(filter: Readonly<Record<string, string>>, site: number, now: number): string {
  const since = (period: string) => now - Number(period.slice(0, -1)) * (secondsOf[period.slice(-1)] ?? Number.NaN)
  const { created_within, last_login_within, mapped } = filter
  return [
    `site = ${site}`,
    ...(created_within ? [`created_at >= to_timestamp(${since(created_within)})`] : []),
    ...(last_login_within ? [`last_logged_in_at >= to_timestamp(${since(last_login_within)})`] : []),
    ...(mapped ? [`primary_key is ${mapped === 'mapped_only' ? 'not null' : 'null'}`] : []),
  ].join(' and ')
}

async function timed<T>(work: () => Promise<T>): Promise<{ result: T; took_ms: number }> {
  const began = performance.now()
  const result = await work()
  return { result, took_ms: performance.now() - began }
}
