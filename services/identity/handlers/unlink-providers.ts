import { Fault } from '#contracts'
import type { IdentityHandlers } from '../deps.ts'
import { refuseUnlinking } from '../domain/unlinking.ts'
import { lead } from '../followers.ts'
import { removeEverywhere } from '../orders.ts'
import { readClock } from '../store/clock.ts'
import { listLinks, removeLinks } from '../store/links.ts'
import { lockUser } from '../store/users.ts'

export const unlinkProviders: IdentityHandlers['unlinkProviders'] = async (input, deps, call) => {
  const { site, identifier, nowarn, nomerge } = input
  const user = { site, identifier }
  const providers = [...new Set(input.providers)]
  const late = await lead(deps, call, async (trx) => {
    if ((await lockUser(trx, user)) === undefined) throw new Fault('entity_not_found')
    refuseUnlinking(await listLinks(trx, user), { providers, nowarn })
    await removeLinks(trx, user, providers)
    const unlinked_at = (await readClock(trx)).toISOString()
    return removeEverywhere({ ...user, providers, unlinked_at }, { rebuild: !nomerge })
  })
  if (!nomerge && late.includes('profile.removeProviders')) throw new Fault('operation_failed')
  return { unlinked: providers }
}
