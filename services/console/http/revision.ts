import type { AdminProcedure } from '#admin-api'
import type { Context } from '#http'
import { AdminFault } from '../handlers/admin-fault.ts'

/** The revision a change expects, by `If-Match` (RFC 9110 13.1.1); undefined where none is needed. */
export function readExpectedRevision(
  { headers }: Context,
  { method, versioned }: Pick<AdminProcedure, 'method' | 'versioned'>,
): number | undefined {
  if (versioned !== true || method === 'GET') return undefined
  const field = headers['if-match']
  if (field === undefined) throw new AdminFault('revision_needed')
  const [, revision] = /^"(\d{1,15})"$/.exec(field) ?? []
  if (revision === undefined) {
    throw new AdminFault('invalid_request', { detail: 'If-Match must be one ETag as this API gives it, such as "3".' })
  }
  return Number(revision)
}

/** Tells the revision of something versioned as its `ETag`. */
export function tellRevision(ctx: Context, { versioned }: Pick<AdminProcedure, 'versioned'>, output: unknown): void {
  const revision: unknown = versioned === true ? Reflect.get(Object(output), 'revision') : undefined
  if (typeof revision === 'number') ctx.set('ETag', `"${revision}"`)
}
