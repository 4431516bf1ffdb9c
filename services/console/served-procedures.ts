import { type AdminApi, type AdminProcedure, type AdminProcedureName, adminApi } from '#admin-api'

/** A service that serves procedures of the Admin API, by the name of its client. */
export type ServingService = NonNullable<AdminProcedure['servedBy']>

/** The procedures of the Admin API that procedures of a service serve. */
export type ServedBy<S extends ServingService> = {
  [N in AdminProcedureName]: AdminApi[N] extends { servedBy: S } ? N : never
}[AdminProcedureName]

export type ServedProcedure = ServedBy<ServingService>

/** Lists the procedures of the Admin API that procedures of a service serve. */
export function listServedBy<S extends ServingService>(service: S): ServedBy<S>[] {
  const procedures = Object.entries<AdminProcedure>(adminApi).filter(([, { servedBy }]) => servedBy === service)
  // The type selects by the same field.
  return procedures.map(([name]) => name) as ServedBy<S>[]
}
