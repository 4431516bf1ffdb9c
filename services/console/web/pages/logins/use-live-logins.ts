import { useEffect, useState } from 'react'
import type { RequestFault } from '../../admin/fault.ts'
import { useRead } from '../../admin/queries.ts'
import type { Login, SiteReference } from '../../admin/types.ts'

const refreshMs = 2_000
/** Older ones are left out, so that a page that is open for hours stays fast. */
const maxShown = 200

interface LiveLogins {
  /** Those that ended since the page was opened, the newest first. */
  readonly logins: readonly Login[]
  readonly fault: RequestFault | null
}

/** Follows the logins of a site. A login whose code could not be exchanged changes its result. */
export function useLiveLogins(site: SiteReference): LiveLogins {
  const [after, setAfter] = useState('newest')
  const [logins, setLogins] = useState<readonly Login[]>([])
  const { data, error } = useRead('listEndedLogins', { ...site, after }, { intervalMs: refreshMs })
  useEffect(() => {
    if (data === undefined || data.next_after === after) return
    setAfter(data.next_after)
    setLogins((before) => addNewest(before, data.logins))
  }, [data, after])
  return { logins, fault: error }
}

function addNewest(before: readonly Login[], ended: readonly Login[]): readonly Login[] {
  const byId = new Map([...before.toReversed(), ...ended].map((login) => [login.login_id, login]))
  return [...byId.values()].reverse().slice(0, maxShown)
}
