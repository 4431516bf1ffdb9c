import { check } from 'k6'
import { siteAt } from './shared/prepared.ts'
import { atRate, minutes, reportMetric, withCommonThresholds } from './shared/run.ts'
import { callOperation, field, openNextPage, succeeded } from './shared/web-api.ts'

export { summary as handleSummary } from './shared/run.ts'

const perPage = 100

/** Pages of `users` at every depth, by number and by `next_uri`. */
export const options = withCommonThresholds(
  { pages: atRate(Number(__ENV.RATE ?? 20), minutes(1) * 60) },
  reportMetric('http_req_duration', ['page:first', 'page:deep']),
)

export function setup(): { last_page: number } {
  const total = Number(field(callOperation(siteAt(0), 'users', { parameters: { limit: String(perPage) } }), 'total'))
  return { last_page: Math.max(1, Math.floor(total / perPage)) }
}

export default function ({ last_page }: { last_page: number }) {
  const site = siteAt(0)
  const deep = Math.random() < 0.8
  const page = deep ? 1 + Math.floor(Math.random() * (last_page - 1)) : 1
  const response = callOperation(site, 'users', {
    parameters: { limit: String(perPage), page: String(page) },
    tags: { page: deep ? 'deep' : 'first' },
  })
  if (!succeeded(response, 'users', { 'a page is full': field(response, 'size') === perPage })) return
  const nextUri = field(response, 'next_uri')
  if (typeof nextUri !== 'string') return
  const next = openNextPage(site, nextUri)
  check(next, { 'the page by next_uri follows': () => next.status === 200 && Number(field(next, 'size')) > 0 })
}
