import type { Knex } from 'knex'
import { roles } from '#admin-api'
import type { AccountRoles } from '../store/members.ts'
import { notifyOnce } from '../store/notices.ts'

/** Adds the notice of a new member, with the highest role. It does not name the member, because it leaves the console. */
export async function notifyOfMember(
  trx: Knex.Transaction,
  { account, role, site_roles }: AccountRoles & { readonly account: string },
  now: Date,
): Promise<void> {
  const given = [role, ...Object.values(site_roles)]
  const highest = roles.findLast((one) => given.includes(one))
  if (highest === undefined) return
  await notifyOnce(trx, { account, site_id: null, kind: 'member_added', details: { role: highest } }, now)
}
