import type { z } from 'zod'
import type { SiteReference } from '#admin-api'
import { pathOf } from '../site-path.ts'
import type { PlanStep } from '../step.ts'
import { accountPageSection } from './account-page.ts'
import { describedSections } from './described.ts'
import { inactivityRuleSection } from './inactivity-rule.ts'
import { metadataSchemasSection } from './metadata-schemas.ts'
import type { FileSection, ReadBy } from './section.ts'
import { termsSection } from './terms.ts'

const { user_search, ...others } = describedSections

/** The sections by their names in the files, in the order of plans. Schema, reading, plan and export derive from this list. */
const descriptions = {
  account_page: accountPageSection,
  terms: termsSection,
  user_search,
  inactivity_rule: inactivityRuleSection,
  metadata_schemas: metadataSchemasSection,
  ...others,
}
type Descriptions = typeof descriptions
type SectionName = keyof Descriptions

// The object has the keys that its type names.
const names = Object.keys(descriptions) as SectionName[]

/** The state of a site's sections, as the Admin API returns it. */
export type ActualSections = { readonly [K in SectionName]: ReadBy<Descriptions[K]['reader']> }

type DesiredOf<K extends SectionName> = z.infer<Descriptions[K]['schema']>
type DesiredSections = { readonly [K in SectionName]?: DesiredOf<K> | undefined }

const sections: { readonly [K in SectionName]: FileSection<DesiredOf<K>, Descriptions[K]['reader']> } = descriptions

/** The fields of a site in the files. Sections that are missing stay unchanged. */
export const sectionFields = mapSections((name) => sections[name].schema.optional()) as {
  // Each schema is that of its description.
  readonly [K in SectionName]: z.ZodOptional<Descriptions[K]['schema']>
}

/** Reads all sections of a site, each with its procedure. */
export async function readSections(
  read: (reader: Descriptions[SectionName]['reader']) => Promise<ActualSections[SectionName]>,
): Promise<ActualSections> {
  const entries = names.map(async (name) => [name, await read(sections[name].reader)] as const)
  // Each section is what its procedure returned.
  return Object.fromEntries(await Promise.all(entries)) as ActualSections
}

/** Plans the sections that are in the files. */
export function planSections(
  site: SiteReference,
  desired: DesiredSections,
  actual: ActualSections | undefined,
): PlanStep[] {
  return names.flatMap((name) => planSection(site, name, desired[name], actual?.[name]) ?? [])
}

function planSection<K extends SectionName>(
  site: SiteReference,
  name: K,
  desired: DesiredSections[K],
  actual: ActualSections[K] | undefined,
): PlanStep | undefined {
  if (desired === undefined) return undefined
  return sections[name].plan({ site, path: `${pathOf(site)}.${name}` }, desired, actual)
}

/** Returns the sections as a file has them, without those that are as in a new site. */
export function toDesiredSections(actual: ActualSections): DesiredSections {
  return Object.fromEntries(
    names.map((name) => [name, toDesired(name, actual[name])]).filter(([, desired]) => desired !== undefined),
  )
}

function toDesired<K extends SectionName>(name: K, actual: ActualSections[K]): DesiredOf<K> | undefined {
  return sections[name].toDesired(actual)
}

function mapSections<T>(map: (name: SectionName) => T): Record<string, T> {
  return Object.fromEntries(names.map((name) => [name, map(name)]))
}
