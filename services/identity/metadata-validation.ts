import { isDeepStrictEqual } from 'node:util'
import {
  formatViolation,
  limits,
  type Metadata,
  type MetadataPartName,
  type MetadataSchema,
  metadataParts,
  type RejectedField,
} from '#contracts'
import type { Executor } from '#database'
import { compileSchema, type FindViolation } from './compile-schema.ts'
import { isSameMetadata, mergeMetadata } from './domain/metadata.ts'
import { findSchemaRevision, findSchemas } from './store/metadata-schemas.ts'

/** The compiled schemas of a site. */
export interface SiteSchemas {
  /** The first part that the change gives another value, which does not match its schema; undefined if there is none. */
  readonly findViolation: (before: Partial<Metadata>, after: Partial<Metadata>) => RejectedField | undefined
}

interface CompiledSchemas extends SiteSchemas {
  readonly revision: number
}

const noSchemas: SiteSchemas = { findViolation: () => undefined }

/** Reads the schemas of a site. */
export type ReadSiteSchemas = (executor: Executor, site: number) => Promise<SiteSchemas>

/** Returns a reader that compiles the schemas of a site once for each revision, and keeps those that were used last in memory. */
export function createSchemaReader(): ReadSiteSchemas {
  /** By site, the one that was used last at the end. */
  const compiledBySite = new Map<number, CompiledSchemas>()
  return async (executor, site) => {
    const revision = await findSchemaRevision(executor, site)
    if (revision === 0) return noSchemas
    const known = compiledBySite.get(site)
    const compiled = known?.revision === revision ? known : await compileSchemas(executor, site)
    compiledBySite.delete(site)
    compiledBySite.set(site, compiled)
    const [oldest] = compiledBySite.keys()
    if (compiledBySite.size > limits.metadata_schemas_in_memory && oldest !== undefined) compiledBySite.delete(oldest)
    return compiled
  }
}

async function compileSchemas(executor: Executor, site: number): Promise<CompiledSchemas> {
  const schemas = await findSchemas(executor, site)
  const checks = new Map<MetadataPartName, FindViolation>()
  const add = (part: MetadataPartName, schema: MetadataSchema | null | undefined) => {
    if (schema != null) checks.set(part, compileSchema(schema))
  }
  add('user_metadata', schemas?.user_metadata_schema)
  add('app_metadata', schemas?.app_metadata_schema)
  return {
    revision: schemas?.revision ?? 0,
    findViolation(before, after) {
      for (const field of metadataParts) {
        const part = after[field]
        if (part === undefined || isDeepStrictEqual(part, before[field])) continue
        const violation = checks.get(field)?.(part)
        if (violation !== undefined) return { field, reason: formatViolation(violation) }
      }
      return undefined
    },
  }
}

/**
 * Merges the metadata of two users. If the result does not match the schemas of the site, the destination's remains: a merge is not
 * rejected for it.
 */
export async function mergeWithinSchemas(
  source: Metadata,
  destination: Metadata,
  readSchemas: () => Promise<SiteSchemas>,
): Promise<Metadata> {
  const merged = mergeMetadata(source, destination)
  if (isSameMetadata(merged, destination)) return destination
  const { findViolation } = await readSchemas()
  return findViolation(destination, merged) === undefined ? merged : destination
}
