import type { z } from 'zod'
import { type AdminApi, adminApi } from '#admin-api'
import type { Call } from '#bus'
import type { Deps } from '../deps.ts'
import { siteOf } from './site-of.ts'

/** The procedures that are sensitive when they change certain fields. */
type FieldByField = {
  [N in keyof AdminApi]: AdminApi[N] extends { sensitive: readonly string[] } ? N : never
}[keyof AdminApi]

/** Reads the stored values, to compare them with the sent ones. */
const present: {
  readonly [N in FieldByField]: (input: z.output<AdminApi[N]['input']>, deps: Deps, call: Call) => Promise<object>
} = {
  changeSite: ({ account, site_id }, deps, call) => siteOf({ account, site_id }, deps, call),
  async changeClient({ account, site_id, client_id }, deps, call) {
    const { site } = await siteOf({ account, site_id }, deps, call)
    return deps.provider_auth.readClient({ site, client_id }, call)
  },
}

/** Whether the input changes a field for which the procedure is sensitive. */
export async function changesSensitiveField(name: string, input: object, deps: Deps, call: Call): Promise<boolean> {
  if (!isFieldByField(name)) return false
  const given = adminApi[name].sensitive.filter((field) => Reflect.get(input, field) !== undefined)
  if (given.length === 0) return false
  // The caller has parsed the input as that of the procedure `name`.
  const before = await (present[name] as (input: object, deps: Deps, call: Call) => Promise<object>)(input, deps, call)
  return given.some((field) => JSON.stringify(Reflect.get(input, field)) !== JSON.stringify(Reflect.get(before, field)))
}

function isFieldByField(name: string): name is FieldByField {
  return Object.hasOwn(present, name)
}
