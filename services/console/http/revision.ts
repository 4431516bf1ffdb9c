import type { AdminProcedure } from '#admin-api'
import type { Context } from '#http'
import { AdminFault } from '../admin-fault.ts'

/** Reads the expected revision from `If-Match` (RFC 9110 13.1.1); undefined if the procedure needs none. */
export function readExpectedRevision(
  { headers }: Context,
  { method, versioned }: Pick<AdminProcedure, 'method' | 'versioned'>,
): number | undefined {
  if (versioned !== true || method === 'GET') return undefined
  const field = headers['if-match']
  if (field === undefined) throw new AdminFault('revision_required')
  const [, revision] = /^"(\d{1,15})"$/.exec(field) ?? []
  if (revision === undefined) {
    throw new AdminFault('invalid_request', {
      detail: 'If-Match is not valid. Send the ETag of the resource unchanged, for example "3".',
    })
  }
  return Number(revision)
}

/** Sends the revision of a versioned resource as `ETag`. */
export function setRevision(ctx: Context, { versioned }: Pick<AdminProcedure, 'versioned'>, output: unknown): void {
  const revision: unknown = versioned === true ? Reflect.get(Object(output), 'revision') : undefined
  if (typeof revision === 'number') ctx.set('ETag', `"${revision}"`)
}
