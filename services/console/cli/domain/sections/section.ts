import type { z } from 'zod'
import type { AdminApi, AdminProcedureName, SiteReference } from '#admin-api'
import type { PlanStep } from '../step.ts'

/** The procedures that read something of a site with only the site's name. */
export type SiteReader = {
  [N in AdminProcedureName]: SiteReference extends z.input<AdminApi[N]['input']> ? N : never
}[AdminProcedureName]

export type ReadBy<Reader extends SiteReader> = z.output<AdminApi[Reader]['output']>

/** A site, and the path of the section in the files. */
export interface SectionPlace {
  readonly site: SiteReference
  readonly path: string
}

/** A section of a site in the files that is one resource with a revision, read and changed as a whole. `Desired` is its form in the files. */
export interface FileSection<Desired, Reader extends SiteReader> {
  readonly schema: z.ZodType<Desired>
  readonly reader: Reader
  /** Plans the change; undefined if the actual state is the desired one. `actual` is undefined for a new site. */
  readonly plan: (place: SectionPlace, desired: Desired, actual: ReadBy<Reader> | undefined) => PlanStep | undefined
  /** Returns the section as an exported file has it; undefined if it is that of a new site. */
  readonly toDesired: (actual: ReadBy<Reader>) => Desired | undefined
}
