import { expect, test } from 'vitest'
import { openForTest } from '#testing'
import { errorResponses } from './caller.ts'
import { createTestUser, setOwnStage } from './stage.ts'

const most = 3
const stage = setOwnStage({ gatewayEnvironment: { MAX_REQUESTS: String(most) } })

test('a request beyond MAX_REQUESTS gets 503/1003 at once, without counting against the rate limit; the others are answered', async () => {
  const { web_api, serviceStack, site } = stage
  const users = await Promise.all(Array.from({ length: most }, () => createTestUser(web_api)))
  const remainingOf = ({ headers }: { headers: Headers }) => Number(headers.get('x-ratelimit-remaining'))
  const before = remainingOf(await web_api.get('appinfo'))
  await using identity = openForTest(serviceStack.database_urls.identity)
  const lock = await identity.knex.transaction()
  await lock('users').where({ site: site.site }).whereIn('identifier', users).forUpdate()
  const waiting = users.map((identifier, index) => web_api.get('map', { identifier, primary_key: `overload-${index}` }))
  const accepted = []
  let rejected = await web_api.get('appinfo')
  // Until all the others have their slots.
  for (; rejected.status === 200; rejected = await web_api.get('appinfo')) accepted.push(rejected)
  expect(rejected).toMatchObject(errorResponses.unavailable)
  expect(Object.fromEntries(rejected.headers)).toMatchObject({
    'retry-after': '2',
    'cache-control': 'no-store',
    'x-request-id': expect.stringMatching(/^[\da-f-]{36}$/),
  })
  expect(rejected.headers.has('x-ratelimit-remaining')).toBe(false)
  await lock.commit()
  expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual(users.map(() => 200))
  const after = await web_api.get('appinfo')
  expect(after.status).toBe(200)
  expect(before - remainingOf(after)).toBe(accepted.length + users.length + 1)
})
