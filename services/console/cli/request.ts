import { type AdminProcedure, adminApi } from '#admin-api'

export interface AdminRequest {
  readonly method: AdminProcedure['method']
  /** Below the console's address, with the query. */
  readonly path: string
  /** JSON; undefined: none. */
  readonly body: Readonly<Record<string, unknown>> | undefined
}

/** Whether what is not in the path travels in the query, as text. */
export function travelsAsText({ method }: Pick<AdminProcedure, 'method'>): boolean {
  return method === 'GET' || method === 'DELETE'
}

/** Fields that the path holds. */
export function pathFields({ path }: Pick<AdminProcedure, 'path'>): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
}

/** How a procedure is asked over HTTP. The input must have been validated. */
export function requestOf(
  procedure: Pick<AdminProcedure, 'method' | 'path'>,
  input: Readonly<Record<string, unknown>>,
): AdminRequest {
  const inPath = pathFields(procedure)
  const path = procedure.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(input[name])))
  const rest = Object.entries(input).filter(([name, value]) => !inPath.includes(name) && value !== undefined)
  const { method } = procedure
  if (!travelsAsText(procedure)) return { method, path: `/admin/v1${path}`, body: Object.fromEntries(rest) }
  const query = new URLSearchParams(rest.map(([name, value]): [string, string] => [name, String(value)])).toString()
  return { method, path: `/admin/v1${path}${query && `?${query}`}`, body: undefined }
}

/** The procedure that tells the revision a change must name: what is changed is read at the same address. */
export function readingOf(changing: AdminProcedure): AdminProcedure {
  const all: AdminProcedure[] = Object.values(adminApi)
  const reading = all.find(({ method, path, versioned }) => method === 'GET' && versioned && path === changing.path)
  if (reading === undefined) throw new Error(`Nothing tells the revision of ${changing.path}.`)
  return reading
}

/** Whether the procedure needs `If-Match`. */
export function needsRevision({ method, versioned }: AdminProcedure): boolean {
  return versioned === true && method !== 'GET' && method !== 'POST'
}
