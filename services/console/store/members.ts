import { randomUUID } from 'node:crypto'
import type { Knex } from 'knex'
import type { Role, SiteRoles } from '#admin-api'

export interface StoredMember {
  readonly member_id: string
  readonly name: string
  readonly operator: boolean
  readonly created_at: Date
  readonly last_signed_in_at: Date | null
  readonly roles: readonly { readonly account: string; readonly site_id: string | null; readonly role: Role }[]
  readonly passkeys: number
}

/** Roles in an account: in the whole account (null: none), and in single sites. */
export interface AccountRoles {
  readonly role: Role | null
  readonly site_roles: SiteRoles
}

const memberColumns = `
  member_id, name, operator, created_at, last_signed_in_at,
  (select count(*) from passkeys where passkeys.member_id = members.member_id) as passkeys,
  (select coalesce(json_agg(json_build_object('account', account, 'site_id', site_id, 'role', role)
                            order by account, site_id nulls first), '[]')
     from (select account, null as site_id, role from member_roles where member_roles.member_id = members.member_id
           union all
           select account, site_id, role from member_site_roles
            where member_site_roles.member_id = members.member_id) as held) as roles`

export async function findMember(knex: Knex, memberId: string): Promise<StoredMember | undefined> {
  const { rows } = await knex.raw<{ rows: StoredMember[] }>(
    `select ${memberColumns} from members where member_id = ?`,
    [memberId],
  )
  return rows[0]
}

export async function findOperator(knex: Knex, name: string): Promise<{ member_id: string } | undefined> {
  return knex('members').where({ name, operator: true }).first<{ member_id: string } | undefined>('member_id')
}

export async function listMembersOf(knex: Knex, account: string): Promise<StoredMember[]> {
  const { rows } = await knex.raw<{ rows: StoredMember[] }>(
    `select ${memberColumns} from members
      where exists (select from member_roles where member_roles.member_id = members.member_id and account = :account)
         or exists (select from member_site_roles
                     where member_site_roles.member_id = members.member_id and account = :account)
      order by name, member_id`,
    { account },
  )
  return rows
}

export async function listOperators(knex: Knex): Promise<StoredMember[]> {
  const { rows } = await knex.raw<{ rows: StoredMember[] }>(
    `select ${memberColumns} from members where operator order by name`,
  )
  return rows
}

/** Locks and returns every operator until the transaction ends. */
export async function lockOperators(trx: Knex.Transaction): Promise<StoredMember[]> {
  await trx.raw('select from members where operator order by member_id for update')
  return listOperators(trx)
}

export interface NewMember {
  readonly member_id?: string
  readonly name: string
  readonly operator: boolean
  readonly now: Date
}

/** Creates a member, unless an operator with this name exists. @returns the member's ID */
export async function insertMember(
  trx: Knex.Transaction,
  { member_id = randomUUID(), name, operator, now }: NewMember,
): Promise<string> {
  const { rows } = await trx.raw<{ rows: [{ member_id: string }] }>(
    `insert into members (member_id, name, operator, created_at) values (?, ?, ?, ?)
     on conflict (name) where operator do update set name = excluded.name
     returning member_id`,
    [member_id, name, operator, now],
  )
  return rows[0].member_id
}

/** @returns the member's name; undefined if the member was removed */
export async function updateLastSignedIn(
  trx: Knex.Transaction,
  { member_id, now }: { member_id: string; now: Date },
): Promise<string | undefined> {
  const [member] = await trx('members')
    .where({ member_id })
    .update({ last_signed_in_at: now })
    .returning<{ name: string }[]>('name')
  return member?.name
}

interface RoleReference {
  readonly member_id: string
  readonly account: string
}

/** Replaces the member's roles in the account and its sites. */
export async function replaceRoles(
  trx: Knex.Transaction,
  { member_id, account, role, site_roles }: RoleReference & AccountRoles,
): Promise<void> {
  await trx('member_site_roles').where({ member_id, account }).delete()
  if (role === null) await trx('member_roles').where({ member_id, account }).delete()
  else await upsertRole(trx, { member_id, account, role })
  await addSiteRoles(trx, { member_id, account, site_roles })
}

/** Adds roles in sites to those that the member has. */
export async function addSiteRoles(
  trx: Knex.Transaction,
  { member_id, account, site_roles }: RoleReference & Pick<AccountRoles, 'site_roles'>,
): Promise<void> {
  const rows = Object.entries(site_roles).map(([siteId, role]) => ({ member_id, account, site_id: siteId, role }))
  if (rows.length > 0)
    await trx('member_site_roles').insert(rows).onConflict(['member_id', 'account', 'site_id']).merge(['role'])
}

/** Returns the member's roles in the sites of an account. Changes lock the roles in the account first. */
export async function readSiteRoles(trx: Knex.Transaction, { member_id, account }: RoleReference): Promise<SiteRoles> {
  const rows: { site_id: string; role: Role }[] = await trx('member_site_roles')
    .where({ member_id, account })
    .orderBy('site_id')
    .forUpdate()
    .select('site_id', 'role')
  return Object.fromEntries(rows.map(({ site_id, role }) => [site_id, role]))
}

/** Sets the member's role in the account. */
export async function upsertRole(
  trx: Knex.Transaction,
  { member_id, account, role }: RoleReference & { role: Role },
): Promise<void> {
  await trx('member_roles').insert({ member_id, account, role }).onConflict(['member_id', 'account']).merge(['role'])
}

/** Locks the roles of all members in the account and its sites until the transaction ends. @returns those in the account */
export async function lockRolesOf(trx: Knex.Transaction, account: string): Promise<ReadonlyMap<string, Role>> {
  const rows: { member_id: string; role: Role }[] = await trx('member_roles')
    .where({ account })
    .orderBy('member_id')
    .forUpdate()
    .select('member_id', 'role')
  await trx('member_site_roles').where({ account }).orderBy(['member_id', 'site_id']).forUpdate().select('member_id')
  return new Map(rows.map(({ member_id, role }) => [member_id, role]))
}

/** Deletes the member's roles in the account, and the member if no role is left and the member is not an operator. */
export async function deleteRoles(trx: Knex.Transaction, { member_id, account }: RoleReference): Promise<void> {
  await trx('member_roles').where({ member_id, account }).delete()
  await trx('member_site_roles').where({ member_id, account }).delete()
  await deleteWithoutRole(trx, member_id)
}

/** Removes the operator rights of a member, and deletes the member if no role is left. */
export async function demoteOperator(trx: Knex.Transaction, memberId: string): Promise<void> {
  await trx('members').where({ member_id: memberId }).update({ operator: false })
  await deleteWithoutRole(trx, memberId)
}

/** Deletes a member who has no role left and is no operator. */
export async function deleteWithoutRole(trx: Knex.Transaction, memberId: string): Promise<void> {
  await trx.raw(
    `delete from members where member_id = ? and not operator
       and not exists (select from member_roles where member_roles.member_id = members.member_id)
       and not exists (select from member_site_roles where member_site_roles.member_id = members.member_id)`,
    [memberId],
  )
}

/** Locks a member's rights until the transaction ends: operator or not, and the role in an account. Undefined if the member was removed. */
export async function lockPermissions(
  trx: Knex.Transaction,
  { member_id, account }: { readonly member_id: string; readonly account: string | null },
): Promise<{ readonly operator: boolean; readonly role: Role | undefined } | undefined> {
  // Same lock order as in a removal: roles, then members.
  const held = await trx('member_roles')
    .where({ member_id, account })
    .forShare()
    .first<{ role: Role } | undefined>('role')
  const member = await trx('members')
    .where({ member_id })
    .forShare()
    .first<{ operator: boolean } | undefined>('operator')
  return member && { operator: member.operator, role: held?.role }
}
