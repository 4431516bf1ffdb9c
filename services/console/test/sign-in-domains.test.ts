import { afterAll, beforeAll, expect, test } from 'vitest'
import { type DnsServer, startDnsServer } from '../../../testing/dns-server.ts'
import { getText, type Harness, startConsole } from './harness.ts'

let stack: AsyncDisposableStack
let dns: DnsServer
let harness: Harness
beforeAll(async () => {
  stack = new AsyncDisposableStack()
  dns = stack.use(await startDnsServer())
  harness = stack.use(await startConsole({ environment: { DOMAIN_PROOF_DNS_SERVERS: dns.address } }))
})
afterAll(() => stack.disposeAsync())

const path = (account: string) => `/admin/v1/accounts/${account}/sign-in/domains`

test('a TXT record proves a domain, which then belongs to one account', async () => {
  const owner = await harness.createMemberClient({ roles: { first: 'owner' } })
  const added = await owner.send('POST', path('first'), { body: { domain: 'Company.Example.' } })
  expect(added).toMatchObject({
    status: 200,
    body: { domain: 'company.example', txt_name: '_social-login.company.example', proven_by: null, proven_at: null },
  })
  const check = () => owner.send('POST', `${path('first')}/company.example/checks`)
  const conflict = (reason: string) => ({ status: 409, body: { error: { reason } } })
  expect(await check()).toMatchObject(conflict('txt_record_missing'))
  dns.setTxt('_social-login.company.example', ['other'])
  expect(await check()).toMatchObject(conflict('txt_record_different'))
  dns.setTxt('_social-login.company.example', [getText(added, 'txt_value') ?? ''])
  expect(await check()).toMatchObject({ status: 200, body: { proven_by: 'dns', proven_at: expect.any(String) } })

  const other = await harness.createMemberClient({ roles: { second: 'owner' } })
  const claimed = await other.send('POST', path('second'), { body: { domain: 'company.example' } })
  expect(getText(claimed, 'txt_value')).not.toBe(getText(added, 'txt_value'))
  const steal = () => other.send('POST', `${path('second')}/company.example/checks`)
  expect(await steal()).toMatchObject(conflict('txt_record_different'))
  dns.setTxt('_social-login.company.example', [getText(claimed, 'txt_value') ?? ''])
  expect(await steal()).toMatchObject(conflict('domain_of_another_account'))
  expect((await owner.send('DELETE', `${path('first')}/company.example`)).status).toBe(200)
  expect((await steal()).status).toBe(200)
})

test('only operators confirm a domain without a record, and an account has a limited number', async () => {
  const owner = await harness.createMemberClient({ roles: { many: 'owner' } })
  for (let index = 0; index < 20; index++) {
    expect((await owner.send('POST', path('many'), { body: { domain: `d${index}.example` } })).status).toBe(200)
  }
  expect(await owner.send('POST', path('many'), { body: { domain: 'more.example' } })).toMatchObject({
    status: 400,
    body: { error: { field: 'domain', reason: 'too_many_domains' } },
  })
  expect((await owner.send('POST', `${path('many')}/d1.example/confirmation`)).status).toBe(403)
  const operator = await harness.createMemberClient({ operator: true })
  expect(await operator.send('POST', `${path('many')}/d1.example/confirmation`)).toMatchObject({
    status: 200,
    body: { proven_by: 'operator' },
  })
})
