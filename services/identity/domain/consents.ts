import { type Consent, type ConsentAnswer, limits } from '#contracts'

/**
 * Adds answers to those that a user has, each instead of an earlier one to the same document. An answer with the same version
 * and decision is none: its first time stays.
 *
 * @returns all answers by the names of the documents; undefined if nothing changes
 */
export function applyAnswers(
  before: readonly Consent[],
  answers: readonly ConsentAnswer[],
  answeredAt: string,
): Consent[] | undefined {
  const changes = listChangedAnswers(before, answers).map((answer) => ({ ...answer, answered_at: answeredAt }))
  return changes.length === 0 ? undefined : replaceByDocument(before, changes)
}

/** The answers that differ from those that a user has. */
export function listChangedAnswers(before: readonly Consent[], answers: readonly ConsentAnswer[]): ConsentAnswer[] {
  return answers.filter(
    ({ document, version, accepted }) =>
      !before.some((one) => one.document === document && one.version === version && one.accepted === accepted),
  )
}

/** Merges the answers of two users: the later one to each document. */
export function mergeConsents(source: readonly Consent[], destination: readonly Consent[]): Consent[] {
  const isLater = ({ document, answered_at }: Consent) => {
    const own = destination.find((one) => one.document === document)
    return own === undefined || Date.parse(answered_at) > Date.parse(own.answered_at)
  }
  return replaceByDocument(destination, source.filter(isLater))
}

/** Whether two lists, both by the names of the documents, have the same answers with the same times. */
export function areSameConsents(one: readonly Consent[], other: readonly Consent[]): boolean {
  return one.length === other.length && one.every((consent, index) => isSame(consent, other[index]))
}

function isSame(one: Consent, other: Consent | undefined): boolean {
  return (
    other !== undefined &&
    one.document === other.document &&
    one.version === other.version &&
    one.accepted === other.accepted &&
    Date.parse(one.answered_at) === Date.parse(other.answered_at)
  )
}

/** Of more answers than a user can have, the latest stay. */
function replaceByDocument(consents: readonly Consent[], changes: readonly Consent[]): Consent[] {
  const byDocument = new Map([...consents, ...changes].map((consent) => [consent.document, consent]))
  const latest = [...byDocument.values()].toSorted(
    (one, other) => Date.parse(other.answered_at) - Date.parse(one.answered_at),
  )
  return sortByDocument(latest.slice(0, limits.consents_per_user))
}

export function sortByDocument(consents: readonly Consent[]): Consent[] {
  return consents.toSorted((one, other) => (one.document < other.document ? -1 : 1))
}
