import { check } from 'k6'
import http from 'k6/http'
import { logIn } from './shared/login.ts'
import { auth, siteWithClient } from './shared/prepared.ts'
import { atRate, minutes, promises, told } from './shared/run.ts'
import { type Answer, ask, askNext, field, succeeded } from './shared/web-api.ts'

export { summary as handleSummary } from './shared/run.ts'

const site = siteWithClient()

const operations = [
  ...['appinfo', 'providers', 'create_user', 'user_attribute', 'profile', 'profile_from_providers'],
  ...['delete_profile', 'grant_profile', 'providers_of_user', 'map', 'unmap', 'merge_user', 'dissociate'],
  ...['delete_user', 'users', 'association_token', 'messaging/friendship_status'],
]

/** Every operation of the Web API, once a second, about people who have just logged in. */
export const options = promises(
  { rounds: atRate(1, minutes(0.5) * 60) },
  told(
    'http_req_duration',
    operations.map((operation) => `operation:${operation}`),
  ),
)

export default function () {
  const name = `smoke ${__VU}-${__ITER}-${Math.random()}`
  const one = logIn(site.client, { provider: 'messaging', user: name })
  const other = logIn(site.client, { provider: 'search', user: name })
  if (one === undefined || other === undefined) return
  const { identifier } = one
  const about = (operation: string, parameters: Record<string, string> = {}) => {
    const answer = ask(site, operation, { parameters: { identifier, ...parameters } })
    succeeded(answer, operation)
    return answer
  }

  succeeded(ask(site, 'appinfo'), 'appinfo')
  succeeded(ask(site, 'providers'), 'providers')
  const primaryKey = `smoke-${identifier}`
  about('map', { primary_key: primaryKey })
  const attribute = about('user_attribute')
  check(attribute, { 'user_attribute knows the mapping': () => field(attribute, 'user.primary_key') === primaryKey })
  const profile = about('profile')
  check(profile, { 'profile tells the name': () => field(profile, 'profile.user_name') === name })
  about('profile_from_providers', { target_provider: 'messaging' })
  about('messaging/friendship_status')
  linkOneMore(about('association_token', { target_provider: 'portal' }))

  const merged = { source_identifier: other.identifier, dest_identifier: identifier }
  succeeded(ask(site, 'merge_user', { parameters: merged }), 'merge_user')
  const linked = about('providers_of_user')
  check(linked, { 'merge_user brings the provider': () => JSON.stringify(linked.json()).includes('"search"') })
  about('dissociate', { target_provider: 'search' })
  about('delete_profile')
  about('grant_profile')
  about('unmap')
  walkUsers()
  const created = ask(site, 'create_user')
  succeeded(created, 'create_user')
  about('delete_user')
  const gone = { parameters: { identifier: String(field(created, 'user.identifier')) } }
  succeeded(ask(site, 'delete_user', gone), 'delete_user')
}

/** Opens the page that asks a person to confirm the linking, without confirming. */
function linkOneMore(answer: Answer): void {
  const { redirect_uri } = site.client
  const address = `${field(answer, 'authenticate_uri')}&callback=${encodeURIComponent(redirect_uri)}`
  const page = http.get(address, { tags: { name: 'associate', operation: 'associate' } })
  check(page, { 'authenticate_uri is ours and opens': () => address.startsWith(auth) && page.status === 200 })
}

function walkUsers(): void {
  const first = ask(site, 'users', { parameters: { limit: '1' } })
  succeeded(first, 'users', { 'one of a page of one': field(first, 'size') === 1 })
  const nextUri = field(first, 'next_uri')
  if (typeof nextUri === 'string') succeeded(askNext(site, nextUri), 'users')
}
