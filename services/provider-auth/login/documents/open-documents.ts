import type { Call } from '#bus'
import type { TermsDocument } from '#contracts'
import type { Deps } from '../../deps.ts'
import { listOpenDocuments } from '../../domain/terms.ts'

/** A user of a site. */
export interface UserOfSite {
  readonly site: number
  readonly identifier: string
}

/**
 * The documents of the site that a user has to answer at a login. Sites without documents cause no call.
 *
 * @throws Fault if identity is unavailable
 */
export async function findOpenDocuments(
  { site, identifier }: UserOfSite,
  { siteSettings, identity }: Pick<Deps, 'siteSettings' | 'identity'>,
  call: Call,
): Promise<readonly TermsDocument[]> {
  const documents = await siteSettings.findTerms(site)
  if (documents.length === 0) return []
  const { consents } = await identity.readConsentsOfUsers({ site, identifiers: [identifier] }, call)
  return listOpenDocuments(documents, consents[identifier] ?? [])
}
