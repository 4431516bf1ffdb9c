import { type AdminProcedure, adminApi } from '#admin-api'

export interface AdminRequest {
  readonly method: AdminProcedure['method']
  /** Path and query, relative to the console's address. */
  readonly path: string
  /** JSON body; undefined: none. */
  readonly body: Readonly<Record<string, unknown>> | undefined
}

/** Whether the fields that are not in the path are in the query. */
export function usesQuery({ method }: Pick<AdminProcedure, 'method'>): boolean {
  return method === 'GET' || method === 'DELETE'
}

/** Lists the parameters of a path. */
export function listPathFields({ path }: Pick<AdminProcedure, 'path'>): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
}

/** Builds the HTTP request of a procedure. The input must be validated. */
export function buildRequest(
  procedure: Pick<AdminProcedure, 'method' | 'path'>,
  input: Readonly<Record<string, unknown>>,
): AdminRequest {
  const inPath = listPathFields(procedure)
  const path = procedure.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(input[name])))
  const rest = Object.entries(input).filter(([name, value]) => !inPath.includes(name) && value !== undefined)
  const { method } = procedure
  if (!usesQuery(procedure)) return { method, path: `/admin/v1${path}`, body: Object.fromEntries(rest) }
  const query = new URLSearchParams(rest.map(([name, value]): [string, string] => [name, String(value)])).toString()
  return { method, path: `/admin/v1${path}${query && `?${query}`}`, body: undefined }
}

/** Finds the procedure that reads the revision of a changed resource: the versioned GET of the same path. */
export function findReadProcedure(changing: AdminProcedure): AdminProcedure {
  const all: AdminProcedure[] = Object.values(adminApi)
  const reading = all.find(({ method, path, versioned }) => method === 'GET' && versioned && path === changing.path)
  if (reading === undefined) throw new Error(`No procedure reads the revision of ${changing.path}.`)
  return reading
}

/** Whether the procedure needs `If-Match`. */
export function needsRevision({ method, versioned }: AdminProcedure): boolean {
  return versioned === true && method !== 'GET' && method !== 'POST'
}
