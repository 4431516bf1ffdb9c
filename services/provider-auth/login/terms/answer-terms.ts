import { type ConsentAnswer, DocumentsOfVersions, Fault, type TermsDocument } from '#contracts'
import { equalSecrets } from '#runtime'
import type { Deps } from '../../deps.ts'
import type { ApplicationRequest } from '../../domain/pending-request.ts'
import { formatDocuments, includesDocument, TermsDeclined, toAnswer } from '../../domain/terms.ts'
import { isSameOrigin } from '../../http/browser-endpoint.ts'
import { buildTermsUri } from '../../uris.ts'
import { respondWithLogin, respondWithLoginFailure } from '../callback/application-outcome.ts'
import type { CompletedLogin } from '../callback/complete-login.ts'
import type { FinishedLogin } from '../callback/record-end.ts'
import { recordCallbackEnd } from '../callback/record-end.ts'
import { repeatEnd, storeEnd } from '../callback/repeated-callback.ts'
import { findOpenDocuments } from '../documents/open-documents.ts'
import { deletePendingTerms, type OpenTerms, readPendingTerms } from '../documents/pending-terms.ts'
import { findLoginParties, type ValidatedParties, validateParties } from '../pending/client-validation.ts'
import { toLoginId } from '../pending/pending-login.ts'
import { restoreCallbacks } from '../pending/site-callbacks.ts'
import { errorPage, type Outcome } from '../request/outcome.ts'
import type { RequestContext } from '../request/request-context.ts'
import { completeAnsweredLogin } from './complete-answered-login.ts'

/** A login that waits for answers, with what it needs to go on. */
interface WaitingRequest extends Omit<ValidatedParties, 'providerClient'>, OpenTerms {
  readonly request: ApplicationRequest
  /** What the user still has to answer. */
  readonly documents: readonly TermsDocument[]
}

/** Shows the documents that the end user has to answer. If none is left, the login goes on. */
export function showTerms(context: RequestContext, deps: Deps): Promise<Outcome> {
  return openTerms(context, deps, async (waiting) =>
    waiting.documents.length === 0 ? finish(waiting, [], context, deps) : ask(waiting, false, context),
  )
}

/**
 * Handles the answers of the end user, which are stored before the application gets its response. A form that is not ours, or that
 * shows other versions than the current ones, is shown again.
 *
 * @param context with the `Sec-Fetch-Site` header, empty for browsers that do not send it
 */
export function handleAnswers(
  context: RequestContext & { readonly secFetchSite: string },
  deps: Deps,
): Promise<Outcome> {
  const { values } = context.parameters
  return openTerms(context, deps, async (waiting) => {
    const { id, csrf, documents, settings, terms } = waiting
    if (!isSameOrigin(context.secFetchSite) || !equalSecrets(values.get('csrf') ?? '', csrf)) {
      const location = buildTermsUri(deps, terms.pending.provider, id)
      return { kind: 'redirect', status: 303, location, login: 'prompted', settings }
    }
    if (values.get('decision') !== 'accept') return finish(waiting, undefined, context, deps)
    const shown = DocumentsOfVersions.safeParse(values.get('shown')).data ?? []
    if (!documents.every((document) => includesDocument(shown, document))) return ask(waiting, false, context)
    const answers = documents.map((document) => toAnswer(document, values.get(`accept_${document.name}`) === 'yes'))
    const isMissing = documents.some(({ kind }, index) => kind === 'required' && answers[index]?.accepted !== true)
    return isMissing ? ask(waiting, true, context) : finish(waiting, answers, context, deps)
  })
}

async function openTerms(
  context: RequestContext,
  deps: Deps,
  handle: (waiting: WaitingRequest) => Promise<Outcome>,
): Promise<Outcome> {
  const { parameters, cookie, provider, call } = context
  const id = parameters.values.get('login') ?? ''
  const open = await readPendingTerms(id, cookie, deps)
  if (open === undefined) return (await repeatEnd(id, cookie, false, deps)) ?? errorPage('login_ended')
  const { pending, identifier } = open.terms
  const { login_provider_identifier, request } = pending
  if (request.response_type === 'account_page' || provider !== pending.provider) return errorPage('login_ended')
  const { client_id } = request
  const parties = await findLoginParties({ provider, login_provider_identifier, client_id }, deps)
  const validated = validateParties(parties)
  if (typeof validated === 'string') return errorPage(validated, { settings: parties.settings })
  const { client, settings } = validated
  const restored = await restoreCallbacks({ ...pending, request }, client, deps, call)
  if (restored === undefined) return errorPage('redirect_uri_invalid', { settings })
  const documents = await findOpenDocuments({ site: settings.site, identifier }, deps, call)
  const outcome = await handle({ ...open, client, settings, request: restored, documents })
  return { ...outcome, language: pending.language ?? undefined }
}

function ask(
  { id, csrf, documents, settings, request }: WaitingRequest,
  isMissing: boolean,
  { parameters: { values } }: RequestContext,
): Outcome {
  const view = {
    documents: documents.map((document) => ({
      document,
      is_accepted: isMissing && values.get(`accept_${document.name}`) === 'yes',
    })),
    is_missing: isMissing,
    hidden: { login: id, csrf, shown: formatDocuments(documents) },
    callback: request.redirect_uri,
    site: settings,
  }
  return { kind: 'terms', view, login: 'prompted', settings }
}

/** Stores the answers, and ends the login once; a repeat gets the same response. @param answers undefined: the end user canceled */
async function finish(
  waiting: WaitingRequest,
  answers: readonly ConsentAnswer[] | undefined,
  context: RequestContext,
  deps: Deps,
): Promise<Outcome> {
  const { id, settings, terms } = waiting
  const { cookie } = context
  if (answers !== undefined && answers.length > 0) await storeAnswers(waiting, answers, context, deps)
  if (!(await deps.usedLogins.markUsed(id)))
    return (await repeatEnd(id, cookie, true, deps)) ?? errorPage('login_ended', { settings })
  const { outcome, end } = await respond(waiting, answers, context, deps)
  const cookies = [...(outcome.cookies ?? []), await deletePendingTerms(id, deps)]
  const { state, pending, returned_at, durations } = terms
  if (end !== undefined)
    recordCallbackEnd({ state, pending, returned_at, durations }, end, settings.site, context, deps)
  return storeEnd(id, { ...outcome, cookies, language: pending.language ?? undefined }, deps)
}

/** If the user was deleted in the meantime, nothing is stored, and the login fails when it is completed. */
async function storeAnswers(
  { id, settings: { site }, terms: { identifier } }: WaitingRequest,
  answers: readonly ConsentAnswer[],
  { call }: RequestContext,
  { identity }: Deps,
): Promise<void> {
  const command = toLoginId(`terms ${id} ${JSON.stringify(answers)}`)
  const recording = { site, identifier, answers: [...answers], by_end_user: true, command }
  await identity.recordConsents(recording, call).catch((error: unknown) => {
    if (!(error instanceof Fault) || error.fault !== 'entity_not_found') throw error
  })
}

async function respond(
  waiting: WaitingRequest,
  answers: readonly ConsentAnswer[] | undefined,
  context: RequestContext,
  deps: Deps,
): Promise<FinishedLogin> {
  try {
    if (answers === undefined) throw new TermsDeclined()
    const completed: CompletedLogin = await completeAnsweredLogin(waiting, deps, context.call)
    return respondWithLogin(waiting, completed, deps)
  } catch (error) {
    return respondWithLoginFailure(error, waiting, [], context, deps)
  }
}
