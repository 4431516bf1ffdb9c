import { check } from 'k6'
import { siteAt } from './shared/prepared.ts'
import { atRate, minutes, promises, told } from './shared/run.ts'
import { ask, askNext, field, succeeded } from './shared/web-api.ts'

export { summary as handleSummary } from './shared/run.ts'

const per_page = 100

/** Pages of `users` at every depth, by number and by `next_uri`. */
export const options = promises(
  { pages: atRate(Number(__ENV.RATE ?? 20), minutes(1) * 60) },
  told('http_req_duration', ['page:first', 'page:deep']),
)

export function setup(): { last_page: number } {
  const total = Number(field(ask(siteAt(0), 'users', { parameters: { limit: String(per_page) } }), 'total'))
  return { last_page: Math.max(1, Math.floor(total / per_page)) }
}

export default function ({ last_page }: { last_page: number }) {
  const site = siteAt(0)
  const deep = Math.random() < 0.8
  const page = deep ? 1 + Math.floor(Math.random() * (last_page - 1)) : 1
  const answer = ask(site, 'users', {
    parameters: { limit: String(per_page), page: String(page) },
    tags: { page: deep ? 'deep' : 'first' },
  })
  if (!succeeded(answer, 'users', { 'a page is full': field(answer, 'size') === per_page })) return
  const next_uri = field(answer, 'next_uri')
  if (typeof next_uri !== 'string') return
  const next = askNext(site, next_uri)
  check(next, { 'the page by next_uri follows': () => next.status === 200 && Number(field(next, 'size')) > 0 })
}
