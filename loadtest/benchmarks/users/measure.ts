import { limit, type PageCase } from './cases.ts'
import type { Stage } from './stage.ts'

export interface Times {
  readonly p50_ms: number
  readonly p95_ms: number
}

export interface Measured {
  readonly first: Times
  readonly halfway: Times
  readonly last_by_page: Times
  readonly last_by_next_uri: Times
}

const warmUpRounds = 5

/**
 * Sends every request of every case in turn, round by round, so that disturbances of the machine affect all cases
 * equally.
 */
export async function measure({ requestPage }: Stage, cases: readonly PageCase[], rounds: number): Promise<Measured[]> {
  const times = cases.map(() => ({
    first: [] as number[],
    halfway: [] as number[],
    last_by_page: [] as number[],
    last_by_next_uri: [] as number[],
  }))
  for (let round = -warmUpRounds; round < rounds; round++) {
    for (const [n, { filter, last_page, last_uri }] of cases.entries()) {
      const requests = [
        ['first', { ...filter, limit: String(limit) }],
        ['halfway', { ...filter, limit: String(limit), page: String(Math.floor(last_page / 2)) }],
        ['last_by_page', { ...filter, limit: String(limit), page: String(last_page) }],
        ['last_by_next_uri', last_uri],
      ] as const
      for (const [which, request] of requests) {
        if (request === undefined) continue
        const { took_ms } = await requestPage(request)
        if (round >= 0) times[n]?.[which].push(took_ms)
      }
    }
  }
  return times.map(({ first, halfway, last_by_page, last_by_next_uri }) => ({
    first: timesOf(first),
    halfway: timesOf(halfway),
    last_by_page: timesOf(last_by_page),
    last_by_next_uri: timesOf(last_by_next_uri),
  }))
}

function timesOf(times: readonly number[]): Times {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN
  return { p50_ms: at(0.5), p95_ms: at(0.95) }
}
