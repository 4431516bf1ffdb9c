import type { z } from 'zod'
import type { AdminApi, AdminProcedureName, SiteReference } from '#admin-api'
import type { Change, PlanStep } from '../step.ts'

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

interface SectionChange {
  /** What the resource is, in the plan. */
  readonly name: string
  /** Whether the site had none before. */
  readonly isNew: boolean
  readonly actual: { readonly revision: number } | undefined
  readonly changes: readonly Change[]
}

/** What a step has besides its procedure and input: the change, with the revision that was read. Undefined without changes. */
export function describeSectionChange(
  { site, path }: SectionPlace,
  { name, isNew, actual, changes }: SectionChange,
): Omit<PlanStep, 'procedure' | 'input'> | undefined {
  if (changes.length === 0) return undefined
  return {
    kind: isNew ? 'create' : 'change',
    subject: `${name} ${site.account}/${site.site_id}`,
    path,
    ...(actual && { revision: actual.revision }),
    changes,
  }
}
