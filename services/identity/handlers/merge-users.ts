import { Fault } from '#contracts'
import type { IdentityHandlers } from '../deps.ts'
import { refuseSharedProvider } from '../domain/merging.ts'
import { lead } from '../followers.ts'
import { mergeEverywhere } from '../orders.ts'
import { readClock } from '../store/clock.ts'
import { listLinks, moveLinks } from '../store/links.ts'
import { moveLogins } from '../store/login-history.ts'
import { absorbUser } from '../store/merging.ts'
import { lockBoth } from '../store/users.ts'

export const mergeUsers: IdentityHandlers['mergeUsers'] = async (
  { site, source, destination, nomerge },
  deps,
  call,
) => {
  if (source === destination) throw new Fault('invalid_parameter')
  const from = { site, identifier: source }
  const to = { site, identifier: destination }
  const late = await lead(deps, call, async (trx) => {
    if (!(await lockBoth(trx, site, [source, destination]))) throw new Fault('entity_not_found')
    const links = await listLinks(trx, from)
    refuseSharedProvider(links, await listLinks(trx, to))
    await moveLinks(trx, from, to)
    await moveLogins(trx, from, to)
    await absorbUser(trx, from, to)
    const merged_at = (await readClock(trx)).toISOString()
    const providers = links.map(({ provider }) => provider)
    return mergeEverywhere({ site, source, destination, providers, merged_at }, { rebuild: !nomerge })
  })
  if (!nomerge && late.includes('profile.mergeUsers')) throw new Fault('operation_failed')
  return {}
}
