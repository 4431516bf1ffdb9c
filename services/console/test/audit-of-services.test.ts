import { afterAll, beforeAll, expect, test } from 'vitest'
import { openForTest, type ServiceStack } from '#testing'
import { type Managed, startManaged } from './managed.ts'

let managed: Managed<ServiceStack>
beforeAll(async () => {
  managed = await startManaged()
  await managed.operator('POST', '/accounts', { account: 'shop', name: 'The shop' })
  await managed.operator('POST', '/accounts/shop/sites', { site_id: 'main', name: 'Main', kind: 'production' })
})
afterAll(() => managed[Symbol.asyncDispose]())

const main = '/accounts/shop/sites/main'
const change = async (name: string) => {
  const { body } = await managed.operator('GET', main)
  return managed.operator('PATCH', main, { name }, Reflect.get(Object(body), 'revision'))
}
const newest = () => managed.findLastEntry('shop', '')
const nameNow = async () => Reflect.get(Object((await managed.operator('GET', main)).body), 'name')

test('if the outcome cannot be written, the change succeeds and its entry has actor, address and input', async () => {
  const { knex } = managed
  await knex.raw(`
    create function reject_insert() returns trigger language plpgsql as
      $$ begin raise exception 'shutting down' using errcode = '57P01'; end $$`)
  await knex.raw(
    'create trigger reject_insert before insert on audit_outcomes for each row execute function reject_insert()',
  )
  expect(await change('Between')).toMatchObject({ status: 200, body: { name: 'Between' } })
  await knex.raw('drop trigger reject_insert on audit_outcomes')
  expect(await newest()).toMatchObject({
    action: 'changeSite',
    actor: 'Otto',
    address: expect.stringMatching(/^(127\.0\.0\.1|::1)$/),
    site_id: 'main',
    outcome: 'unknown',
    fault: null,
    before: null,
    after: { name: 'Between' },
  })
})

test('if the service responds too late, the outcome is unknown', async () => {
  await using database = openForTest(managed.serviceStack.database_urls.identity)
  const trx = await database.knex.transaction()
  await trx('sites').where({ site_id: 'main' }).forUpdate().select('site')
  const response = await change('Late')
  await trx.commit()
  expect(response).toMatchObject({ status: 503, body: { error: { name: 'unavailable' } } })
  expect(await newest()).toMatchObject({ outcome: 'unknown', after: { name: 'Late' } })
})

test('a change that the service rejected or never received is recorded as rejected', async () => {
  const before = await nameNow()
  expect(await managed.operator('PATCH', main, { name: 'Stale' }, 0)).toMatchObject({ status: 412 })
  expect(await newest()).toMatchObject({ outcome: 'rejected', fault: 'revision_mismatch' })
  expect(await nameNow()).toBe(before)
  await using _ = await managed.serviceStack.stopService('identity')
  expect(await managed.operator('PATCH', main, { name: 'Unreached' }, 1)).toMatchObject({ status: 503 })
  expect(await newest()).toMatchObject({ outcome: 'rejected', fault: 'unavailable' })
})
