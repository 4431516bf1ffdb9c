import type { Stage } from './stage.ts'

export const limit = 100

/** One combination of filters, with the three pages that are measured. */
export interface PageCase {
  readonly title: string
  readonly filter: Readonly<Record<string, string>>
  /** The number of the last page that is not empty. */
  readonly last_page: number
  /** The `next_uri` of the last page; undefined if there is only one page. */
  readonly last_uri: string | undefined
}

const filters: Readonly<Record<string, string>>[] = [
  {},
  { mapped: 'mapped_only' },
  { mapped: 'not_mapped_only' },
  { created_within: '365d' },
  { created_within: '30d' },
  { created_within: '30d', mapped: 'mapped_only' },
  { last_login_within: '365d' },
  { last_login_within: '30d' },
  { last_login_within: '1d' },
  { last_login_within: '1h' },
  { last_login_within: '30d', mapped: 'mapped_only' },
  { created_within: '365d', last_login_within: '30d' },
  { created_within: '30d', last_login_within: '365d' },
  { created_within: '365d', last_login_within: '30d', mapped: 'not_mapped_only' },
]

export async function createPageCases({ requestPage }: Stage): Promise<PageCase[]> {
  const cases: PageCase[] = []
  for (const filter of filters) {
    const { total } = await requestPage({ ...filter, limit: String(limit) })
    // A period moves on while pages are requested, so the last page may not exist any more.
    const lastPage = Math.max(0, Math.ceil(total / limit) - (isPeriod(filter) ? 2 : 1))
    const before =
      lastPage === 0 ? undefined : await requestPage({ ...filter, limit: String(limit), page: String(lastPage - 1) })
    const title = Object.entries(filter).map(([name, value]) => (name === 'mapped' ? value : `${name}=${value}`))
    cases.push({ title: title.join(', ') || 'no filter', filter, last_page: lastPage, last_uri: before?.next_uri })
  }
  return cases
}

function isPeriod(filter: Readonly<Record<string, string>>): boolean {
  return 'created_within' in filter || 'last_login_within' in filter
}
