import { randomUUID } from 'node:crypto'
import type { Knex } from 'knex'
import type { Role } from '#admin-api'

export interface StoredMember {
  readonly member_id: string
  readonly name: string
  readonly operator: boolean
  readonly created_at: Date
  readonly last_signed_in_at: Date | null
  readonly roles: readonly { readonly account: string; readonly role: Role }[]
  readonly passkeys: number
}

const memberColumns = `
  member_id, name, operator, created_at, last_signed_in_at,
  (select count(*) from passkeys where passkeys.member_id = members.member_id) as passkeys,
  (select coalesce(json_agg(json_build_object('account', account, 'role', role) order by account), '[]')
     from member_roles where member_roles.member_id = members.member_id) as roles`

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
      where exists (select from member_roles where member_roles.member_id = members.member_id and account = ?)
      order by name, member_id`,
    [account],
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

/** Sets the member's role in the account. */
export async function upsertRole(
  trx: Knex.Transaction,
  { member_id, account, role }: RoleReference & { role: Role },
): Promise<void> {
  await trx('member_roles').insert({ member_id, account, role }).onConflict(['member_id', 'account']).merge(['role'])
}

/** Locks and returns the roles of all members in the account until the transaction ends. */
export async function lockRolesOf(trx: Knex.Transaction, account: string): Promise<ReadonlyMap<string, Role>> {
  const rows: { member_id: string; role: Role }[] = await trx('member_roles')
    .where({ account })
    .orderBy('member_id')
    .forUpdate()
    .select('member_id', 'role')
  return new Map(rows.map(({ member_id, role }) => [member_id, role]))
}

/** Deletes the member's role in the account, and the member if no role is left and the member is not an operator. */
export async function deleteRole(trx: Knex.Transaction, { member_id, account }: RoleReference): Promise<void> {
  await trx('member_roles').where({ member_id, account }).delete()
  await deleteWithoutRole(trx, member_id)
}

/** Removes the operator rights of a member, and deletes the member if no role is left. */
export async function demoteOperator(trx: Knex.Transaction, memberId: string): Promise<void> {
  await trx('members').where({ member_id: memberId }).update({ operator: false })
  await deleteWithoutRole(trx, memberId)
}

async function deleteWithoutRole(trx: Knex.Transaction, memberId: string): Promise<void> {
  await trx.raw(
    `delete from members where member_id = ? and not operator
       and not exists (select from member_roles where member_roles.member_id = members.member_id)`,
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
