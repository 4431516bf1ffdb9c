import { count } from '../../seed/progress.ts'
import { formatTable } from '../../toolkit/markdown-table.ts'
import type { PageCase } from './cases.ts'
import type { Measured, Times } from './measure.ts'
import type { Verified } from './verify.ts'

const head = [
  'Filter',
  '`total`',
  'first page, p50 / p95 ms',
  'page halfway by `page=N`, p50 / p95 ms',
  '× first',
  'last page by `page=N`, p50 / p95 ms',
  '× first',
  'last page by `next_uri`, p50 / p95 ms',
  '× first',
  'plain SQL: count(*), ms',
  'plain SQL: OFFSET, ms',
]

/** A Markdown table with one line for each case. */
export function printTable(cases: readonly PageCase[], measured: readonly Measured[], { totals }: Verified): string {
  const lines = cases.map(({ title, last_page }, n) => {
    const [times, plain] = [measured[n], totals[n]]
    if (times === undefined || plain === undefined) throw new Error('Every case was measured and compared.')
    const { first, halfway, last_by_page, last_by_next_uri } = times
    return [
      title,
      count(plain.total),
      both(first),
      both(halfway),
      ratio(halfway, first),
      `${both(last_by_page)} (page ${count(last_page)})`,
      ratio(last_by_page, first),
      both(last_by_next_uri),
      ratio(last_by_next_uri, first),
      plain.count_ms.toFixed(0),
      plain.offset_ms.toFixed(0),
    ]
  })
  return formatTable(head, lines)
}

function both({ p50_ms, p95_ms }: Times): string {
  return Number.isNaN(p50_ms) ? '–' : `${p50_ms.toFixed(1)} / ${p95_ms.toFixed(1)}`
}

function ratio(times: Times, first: Times): string {
  return Number.isNaN(times.p50_ms) ? '–' : (times.p50_ms / first.p50_ms).toFixed(2)
}
