import type { Call } from '#bus'
import type { DocumentOfVersion } from '#contracts'
import type { Deps } from '../../deps.ts'
import { formatDocuments, includesDocument, listRequired, toAnswer } from '../../domain/terms.ts'
import { OAuthError } from '../../http/oauth-error.ts'
import { toLoginId } from '../pending/pending-login.ts'
import { findOpenDocuments, type UserOfSite } from './open-documents.ts'

/**
 * Stores which documents the user accepted in a native app, which has no page of ours.
 *
 * @param accepted documents that are not among them are not answered
 * @throws OAuthError if a required document is not accepted in its current version
 * @throws Fault of identity
 */
export async function acceptDocumentsInApp(
  user: UserOfSite,
  { login, accepted }: { readonly login: string; readonly accepted: readonly DocumentOfVersion[] },
  deps: Deps,
  call: Call,
): Promise<void> {
  const documents = await findOpenDocuments(user, deps, call)
  const acceptedDocuments = documents.filter((document) => includesDocument(accepted, document))
  const missing = listRequired(documents).filter((document) => !acceptedDocuments.includes(document))
  if (missing.length > 0)
    throw new OAuthError('consent_required', { parameter: formatDocuments(missing) }).withReason(
      'native_login_rejected',
    )
  if (acceptedDocuments.length === 0) return
  const answers = acceptedDocuments.map((document) => toAnswer(document, true))
  const command = toLoginId(`terms ${login} ${formatDocuments(acceptedDocuments)}`)
  await deps.identity.recordConsents({ ...user, answers, by_end_user: true, command }, call)
}
