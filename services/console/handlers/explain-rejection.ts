import type { z } from 'zod'
import { type ExplainedRejection, rejectionExplanations } from '#admin-api'
import { toTimestamp } from '#runtime'
import type { StoredRejection } from '../store/rejections.ts'

/** A rejected request with what happened, why, and what to do. */
export function explainRejection(rejection: StoredRejection): z.input<typeof ExplainedRejection> {
  const { request_id, endpoint, client_id, redirect_uri, registered_redirect_uris } = rejection
  const { error, error_description, reason, at } = rejection
  return {
    request_id,
    endpoint,
    client_id,
    redirect_uri,
    registered_redirect_uris,
    error,
    error_description,
    reason,
    at: toTimestamp(at),
    explanation: rejectionExplanations[reason],
  }
}
