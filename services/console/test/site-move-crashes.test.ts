import { expect, inject, onTestFinished, test as vitestTest } from 'vitest'
import { type CopyingService, copyingServices } from '#admin-api'
import { createEncryptor, EncryptionKeys, keyRing } from '#runtime'
import { isCitus, seedSite } from '#testing'
import { runMoveStep } from '../site-moves/run-step.ts'
import { findSiteMove } from '../store/site-moves.ts'
import { newAccount, startManaged } from './managed.ts'
import { findServing, listWritable, type ManagedCell, requestApi, startMove } from './site-move-harness.ts'

/** Citus has no triggers, which freeze a site (`freezeSite`). */
const test = vitestTest.skipIf(isCitus)

class Crash extends Error {
  override readonly name = 'Crash'
}

/** The cell wraps what its requests throw. */
function isCrash(error: unknown): boolean {
  return error instanceof Crash || (error instanceof Error && error.cause instanceof Crash)
}

/** Counts calls of services and of the other cell, and ends the process, as it were, after one of them. */
function createCrashes({ serviceStack }: ManagedCell) {
  let left = Number.POSITIVE_INFINITY
  const afterCall = <T>(result: T): T => {
    if (--left === 0) throw new Crash('The process ended.')
    return result
  }
  const wrap = <S extends object>(service: S): S =>
    new Proxy(service, {
      get(of, name) {
        const call: unknown = Reflect.get(of, name)
        return typeof call === 'function' ? async (...given: unknown[]) => afterCall(await call(...given)) : call
      },
    })
  const { fetch } = globalThis
  globalThis.fetch = async (...given) => {
    const isStep = String(given[0]).endsWith('/site-copy-steps')
    const response = await fetch(...given)
    return isStep ? afterCall(response) : response
  }
  onTestFinished(() => {
    globalThis.fetch = fetch
  })
  const { identity, provider_auth, profile, friendship, events } = serviceStack
  return {
    services: {
      identity: wrap(identity),
      provider_auth: wrap(provider_auth),
      profile: wrap(profile),
      friendship: wrap(friendship),
      events: wrap(events),
    } satisfies Record<CopyingService, object>,
    crashAfter(calls: number) {
      left = calls
    },
  }
}

/** The test makes the steps, not the console's own worker. */
async function stopWorker({ knex }: ManagedCell): Promise<void> {
  const lease = { holder: crypto.randomUUID(), leased_until: new Date(Date.now() + 3_600_000) }
  await knex('leases')
    .insert({ name: 'site-moves', ...lease })
    .onConflict('name')
    .merge(lease)
}

test('a move that is killed after each call of each step is served by one cell, and ends', async () => {
  await using source = await startManaged()
  await using target = await startManaged()
  await stopWorker(source)
  const site = await seedSite(source.serviceStack, { account: newAccount() })
  expect((await requestApi(source, site, 'create_user', { primary_key: 'u1' })).status).toBe(200)
  const ring = keyRing(EncryptionKeys.parse(inject('encryption_keys')))
  using encryptor = await createEncryptor(ring)
  const { services, crashAfter } = createCrashes(source)
  const consoleUrl = source.serviceStack.console.url
  const deps = { ...services, knex: source.knex, encryptor, consoleUrl, now: () => new Date() }
  const crashes = new Map<string, number>()

  /** Runs the next step, first killed after its first call, then after its second one, and so on. */
  const runStep = async () => {
    const move = await findSiteMove(source.knex, site)
    if (move === undefined) throw new Error('The site does not move.')
    const isCopying = move.state === 'copying' || move.state === 'finishing'
    // A copy has hundreds of calls, which are all alike, also in the second move.
    const first = isCopying && crashes.has('back switching') ? Number.POSITIVE_INFINITY : 1
    for (let calls = first; ; calls = isCopying ? calls * 16 : calls + 1) {
      crashAfter(calls)
      try {
        await runMoveStep(move, deps)
        return
      } catch (error) {
        if (!isCrash(error)) throw error
        const name = `${move.direction} ${move.state}`
        crashes.set(name, (crashes.get(name) ?? 0) + 1)
      } finally {
        crashAfter(Number.POSITIVE_INFINITY)
      }
      await requireOneCell()
    }
  }
  const requireOneCell = async () => {
    const writable = await listWritable([source, target], site)
    for (const service of copyingServices)
      expect(writable.filter((one) => one.startsWith(`${service} `)).length, service).toBeLessThanOrEqual(1)
    const servings = await Promise.all([source, target].map((cell) => findServing(cell, site).catch(() => undefined)))
    expect(servings.filter((one) => one?.serving === 'here').length).toBeLessThanOrEqual(1)
  }
  const runUntil = async (state: string) => {
    for (let steps = 0; steps < 200 && (await findSiteMove(source.knex, site))?.state !== state; steps++)
      await runStep()
    expect(await findSiteMove(source.knex, site)).toMatchObject({ state })
  }
  const allIn = (place: number) => copyingServices.map((service) => `${service} ${place}`)

  const move = await startMove(source, target, site)
  await runUntil('forwarding')
  expect(await listWritable([source, target], site)).toEqual(allIn(1))
  await runStep()
  expect((await requestApi(target, site, 'create_user', { primary_key: 'u2' })).status).toBe(200)
  expect(await move.act('roll-back')).toBe(200)
  await runUntil('rolled_back')
  expect(await listWritable([source, target], site)).toEqual(allIn(0))
  expect(await requestApi(source, site, 'users')).toMatchObject({ status: 200, body: { total: 2 } })

  const second = await startMove(source, target, site)
  await runUntil('forwarding')
  expect(await second.act('commit')).toBe(200)
  await runUntil('committed')
  expect(await requestApi(target, site, 'users')).toMatchObject({ status: 200, body: { total: 2 } })
  for (const name of ['out freezing', 'out switching', 'back freezing', 'back switching', 'out committing'])
    expect(crashes.get(name), name).toBeGreaterThan(4)
  // Hundreds of steps, also on a slow machine.
}, 900_000)
