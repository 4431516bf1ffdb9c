import { Fault, limits } from '#contracts'
import { repeatInBackground } from '#runtime'
import type { Deps } from '../deps.ts'
import {
  changeHosts,
  changeState,
  deleteExpiredClaims,
  type HostCheck,
  hasRelatedHost,
  lockHost,
  releaseSuspended,
  type SiteHostRow,
  storeCheck,
  takeDueHosts,
} from '../store/site-hosts.ts'

type HostKey = Pick<SiteHostRow, 'site' | 'host'>
type CheckDeps = Pick<Deps, 'knex' | 'findHostProof' | 'siteSettings' | 'hosts'>

/**
 * Looks for the proof of a host and stores the result. A claim with a proof becomes active; a host whose proof has been missing
 * for too long is suspended until it has one again.
 *
 * @throws Fault `entity_not_found` if the site has not claimed it, `already_exists` if a related host is another site's
 */
export async function checkHost(key: HostKey, { knex, findHostProof, siteSettings, hosts }: CheckDeps): Promise<void> {
  const claim: SiteHostRow | undefined = await knex('site_hosts').where(key).whereNot({ state: 'released' }).first()
  if (claim === undefined) throw new Fault('entity_not_found')
  const check = toCheck(claim, await findHostProof(claim), Date.now())
  if (check.state === claim.state) return storeCheck(knex, key, check)
  await changeHosts(knex, async (trx, revision) => {
    const before = await lockHost(trx, key)
    if (before === undefined) throw new Fault('entity_not_found')
    if (check.state === 'active') {
      if (await hasRelatedHost(trx, key)) throw new Fault('already_exists')
      await releaseSuspended(trx, key, revision)
    }
    await storeCheck(trx, key, check)
    await changeState(trx, key, check.state, revision)
  })
  await hosts.refresh()
  siteSettings.publishChange()
}

function toCheck({ state, failing_since }: SiteHostRow, problems: HostCheck['problems'], nowMs: number): HostCheck {
  if (problems.length === 0) return { state: 'active', problems, failing_since: null }
  if (state === 'claimed') return { state, problems, failing_since: null }
  const failingSince = failing_since ?? new Date(nowMs)
  const isSuspended = nowMs - failingSince.getTime() >= limits.host_missing_proof_seconds * 1_000
  return { state: isSuspended ? 'suspended' : state, problems, failing_since: failingSince }
}

const intervalMs = 60_000
/** Hosts that are checked side by side. Our choice. */
const atOnce = 10

/** Checks hosts again whose check is due, and deletes claims without proof. */
export function startHostChecks(deps: CheckDeps & Pick<Deps, 'logger'>): Disposable {
  const { knex, logger } = deps
  const check = (key: HostKey) =>
    checkHost(key, deps).catch((error: unknown) => {
      if (!(error instanceof Fault)) throw error
    })
  const run = async () => {
    await deleteExpiredClaims(knex)
    for (;;) {
      const keys = await takeDueHosts(knex, atOnce)
      await Promise.all(keys.map(check))
      if (keys.length < atOnce) return
    }
  }
  return repeatInBackground(run, { intervalMs, logger, failure: 'hosts not checked; retrying' })
}
