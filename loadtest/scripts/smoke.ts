import { check } from 'k6'
import http from 'k6/http'
import { logIn } from './shared/login.ts'
import { auth, siteWithClient } from './shared/prepared.ts'
import { atRate, minutes, reportMetric, withCommonThresholds } from './shared/run.ts'
import { callOperation, field, openNextPage, succeeded, type WebApiResponse } from './shared/web-api.ts'

export { summary as handleSummary } from './shared/run.ts'

const site = siteWithClient()

const operations = [
  'appinfo',
  'providers',
  'create_user',
  'user_attribute',
  'profile',
  'profile_from_providers',
  'delete_profile',
  'grant_profile',
  'providers_of_user',
  'map',
  'unmap',
  'merge_user',
  'dissociate',
  'delete_user',
  'users',
  'association_token',
  'messaging/friendship_status',
  'events',
]

/** Every operation of the Web API, once a second, for users who have just logged in. */
export const options = withCommonThresholds(
  { rounds: atRate(1, minutes(0.5) * 60) },
  reportMetric(
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
    const response = callOperation(site, operation, { parameters: { identifier, ...parameters } })
    succeeded(response, operation)
    return response
  }

  succeeded(callOperation(site, 'appinfo'), 'appinfo')
  succeeded(callOperation(site, 'providers'), 'providers')
  const primaryKey = `smoke-${identifier}`
  about('map', { primary_key: primaryKey })
  const attribute = about('user_attribute')
  check(attribute, { 'user_attribute knows the mapping': () => field(attribute, 'user.primary_key') === primaryKey })
  const profile = about('profile')
  check(profile, { 'profile has the name': () => field(profile, 'profile.user_name') === name })
  about('profile_from_providers', { target_provider: 'messaging' })
  about('messaging/friendship_status')
  linkOneMore(about('association_token', { target_provider: 'portal' }))

  const merged = { source_identifier: other.identifier, dest_identifier: identifier }
  succeeded(callOperation(site, 'merge_user', { parameters: merged }), 'merge_user')
  const linked = about('providers_of_user')
  check(linked, { 'merge_user brings the provider': () => JSON.stringify(linked.json()).includes('"search"') })
  about('dissociate', { target_provider: 'search' })
  about('delete_profile')
  about('grant_profile')
  about('unmap')
  about('events', { after: 'newest' })
  walkUsers()
  const created = callOperation(site, 'create_user')
  succeeded(created, 'create_user')
  about('delete_user')
  const gone = { parameters: { identifier: String(field(created, 'user.identifier')) } }
  succeeded(callOperation(site, 'delete_user', gone), 'delete_user')
}

/** Opens the confirmation page for linking, without confirming. */
function linkOneMore(response: WebApiResponse): void {
  const { redirect_uri } = site.client
  const address = `${field(response, 'authenticate_uri')}&callback=${encodeURIComponent(redirect_uri)}`
  const page = http.get(address, { tags: { name: 'associate', operation: 'associate' } })
  check(page, { 'authenticate_uri is ours and opens': () => address.startsWith(auth) && page.status === 200 })
}

function walkUsers(): void {
  const first = callOperation(site, 'users', { parameters: { limit: '1' } })
  succeeded(first, 'users', { 'one of a page of one': field(first, 'size') === 1 })
  const nextUri = field(first, 'next_uri')
  if (typeof nextUri === 'string') succeeded(openNextPage(site, nextUri), 'users')
}
