import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Harness, startIdentity } from './harness.ts'
import { createModel } from './history-model.ts'
import { type Step, step } from './history-steps.ts'
import { serveRecipients, type TestRecipients } from './recipients.ts'
import { createUserActions, outcomeOf } from './user-actions.ts'

let harness: Harness
let recipients: TestRecipients
beforeAll(async () => {
  harness = await startIdentity()
  await harness.startReplica()
  recipients = await serveRecipients(harness.bus)
})
afterAll(async () => {
  await recipients[Symbol.asyncDispose]()
  await harness[Symbol.asyncDispose]()
})

/** Fewer histories on a busy machine. */
const bounded = { interruptAfterTimeLimit: 5_000 }

/** Runs histories over the bus at a separate site and records the created users. */
async function newStage() {
  const { identity, call } = harness
  const site = await harness.newSite()
  const on = createUserActions(harness, site)
  const identifiers: string[] = []
  const name = (user: number) => identifiers[user] ?? `unknown${user}`
  const steps: { [D in Step['do']]: (step: Extract<Step, { do: D }>) => Promise<unknown> } = {
    create: async ({ primary_key, accounts }) => {
      const mapping = primary_key === null ? {} : { primary_key }
      const { user } = await identity.createUser({ site, links: accounts, ...mapping }, call())
      identifiers.push(user.identifier)
    },
    login: async ({ account }) => {
      const { user, created } = await on.login(account)
      if (created) identifiers.push(user.identifier)
    },
    map: ({ user, primary_key, overwrite }) =>
      identity.mapPrimaryKey({ site, identifier: name(user), primary_key, overwrite }, call()),
    unmap: ({ user }) => identity.unmapPrimaryKey({ site, identifier: name(user) }, call()),
    remove: ({ user }) => on.remove(name(user)),
    link: ({ user, account }) => on.link(name(user), account),
    unlink: ({ user, providers, nowarn }) => on.unlink(name(user), providers, { nowarn }),
    merge: ({ user, into }) => on.merge(name(user), name(into)),
  }
  // The function under a step's name accepts this step.
  const take = (one: Step) => outcomeOf((steps[one.do] as (one: Step) => Promise<unknown>)(one))
  return { site, on, identifiers, take }
}

test('any history of creating, mapping, linking, unlinking, merging, deleting and logging in matches the model', async () => {
  const history = fc.array(step, { minLength: 10, maxLength: 30 })
  const property = fc.asyncProperty(history, async (taken) => {
    const { on, identifiers, take } = await newStage()
    const model = createModel()
    for (const one of taken) expect([one, await take(one)]).toEqual([one, model.take(one)])

    expect(identifiers).toHaveLength(model.users.length)
    for (const [n, expected] of model.users.entries()) {
      const resolving = on.resolve(identifiers[n] ?? '')
      if (!expected.exists) expect(await outcomeOf(resolving)).toBe('entity_not_found')
      else {
        const { user, links } = await resolving
        expect(user).toMatchObject({ primary_key: expected.primary_key, login_count: expected.login_count })
        expect(new Map(links.map((link) => [link.provider, link.provider_user_id]))).toEqual(expected.links)
      }
    }
  })
  await fc.assert(property, { numRuns: 30, ...bounded })
})

/** Checks invariants of a site in the tables. */
async function expectInvariants(site: number) {
  const { identity, call, knex } = harness
  const shared = knex.raw<{ rows: unknown[] }>(
    `select replace(provider, '_legacy', '') as engine, provider_user_id from links where site = ?
     group by 1, 2 having count(distinct identifier) > 1`,
    [site],
  )
  expect((await shared).rows, 'accounts of two users').toEqual([])
  const same = knex('users')
    .where({ site })
    .whereNotNull('primary_key')
    .groupBy('primary_key')
    .havingRaw('count(*) > 1')
  expect(await same.select('primary_key'), 'primary_keys of two users').toEqual([])
  for (const table of ['links', 'login_history']) {
    const rows = knex(table)
      .where({ site })
      .whereNotIn('identifier', knex('users').where({ site }).select('identifier'))
    expect(await rows, `${table} without a user`).toEqual([])
  }
  const miscounted = knex('users')
    .where({ site })
    .whereRaw(
      `login_count <> (select count(*) from login_history h where (h.site, h.identifier) = (users.site, users.identifier))`,
    )
  expect(await miscounted, 'users with a wrong login_count').toEqual([])
  const users = await knex('users').where({ site }).select('identifier')
  expect((await identity.listUsers({ site, limit: 1 }, call())).total).toBe(users.length)
}

test('after any concurrent changes, no account or primary_key belongs to two users, and deleted users stay deleted', async () => {
  const create = step.filter(({ do: what }) => what === 'create' || what === 'login')
  const history = fc.tuple(
    fc.array(create, { minLength: 6, maxLength: 10 }),
    fc.array(step, { minLength: 15, maxLength: 40 }),
  )
  const property = fc.asyncProperty(history, async ([before, atOnce]) => {
    const { site, on, identifiers, take } = await newStage()
    for (const one of before) await take(one)
    // Users keep their numbers; new ones are added at the end.
    const known = [...identifiers]
    const outcomes = await Promise.all(atOnce.map(async (one) => ({ one, outcome: await take(one) })))

    for (const { outcome } of outcomes) expect(outcome).not.toBe('unavailable')
    await expectInvariants(site)
    const gone = outcomes.flatMap(({ one, outcome }) =>
      outcome === 'ok' && (one.do === 'remove' || one.do === 'merge') ? [known[one.user] ?? ''] : [],
    )
    expect(new Set(gone).size).toBe(gone.length)
    for (const identifier of gone) expect(await outcomeOf(on.resolve(identifier))).toBe('entity_not_found')
  })
  await fc.assert(property, { numRuns: 30, endOnFailure: true, ...bounded })
})
