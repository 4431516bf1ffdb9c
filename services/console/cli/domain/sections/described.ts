import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { type AdminApi, type AdminProcedure, type AdminProcedureName, adminApi } from '#admin-api'
import { listChanges } from '../changes.ts'
import { describeSectionChange, type FileSection, type SectionPlace, type SiteReader } from './section.ts'

/** The procedures that change a section with the fields of their input, by the name of the section. */
type Described = {
  [N in AdminProcedureName as AdminApi[N] extends { section: { name: infer Name extends string } } ? Name : never]: N
}
type DesiredBy<N extends AdminProcedureName> = Omit<z.output<AdminApi[N]['input']>, 'account' | 'site_id'>
type ReaderOf<N extends AdminProcedureName> = AdminApi[N] extends { reader: infer R extends SiteReader } ? R : never
type DescribedSections = {
  readonly [K in keyof Described]: FileSection<DesiredBy<Described[K]>, ReaderOf<Described[K]>>
}

/** The sections that the Admin API describes: `section` and `reader` of the procedure that changes one. */
export const describedSections = Object.fromEntries(
  Object.entries<AdminProcedure>(adminApi).flatMap(([procedure, { section, reader, input }]) =>
    section === undefined ? [] : [[section.name, { ...describeSection(procedure, section, input), reader }]],
  ),
  // Fields and reader are those of the procedures from which the type derives.
) as unknown as DescribedSections

type Fields = Readonly<Record<string, unknown>>

function describeSection(
  procedure: string,
  { name, initial }: NonNullable<AdminProcedure['section']>,
  input: z.ZodObject,
) {
  const { account: _, site_id: __, ...fields } = input.shape
  const pickFields = (state: Fields) => Object.fromEntries(Object.keys(fields).map((field) => [field, state[field]]))
  return {
    schema: z.strictObject(fields),
    plan(place: SectionPlace, desired: Fields, actual: (Fields & { readonly revision: number }) | undefined) {
      const before = actual === undefined ? initial : pickFields(actual)
      const changes = listChanges(desired, before)
      const isNew = isDeepStrictEqual(before, initial)
      const step = describeSectionChange(place, { name: name.replaceAll('_', ' '), isNew, actual, changes })
      return step && { procedure, input: { ...place.site, ...desired }, ...step }
    },
    toDesired(actual: Fields) {
      const state = pickFields(actual)
      return isDeepStrictEqual(state, initial) ? undefined : state
    },
  }
}
