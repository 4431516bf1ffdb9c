import { rejectionExplanations } from '../../../../../libs/contracts/admin/rejection-explanations.ts'

export const rejections = {
  title: 'Rejected requests',
  about: 'Authorization and token requests of the last three days that were rejected. New ones appear within seconds.',
  empty: 'No request of this client was rejected in the last three days.',
  why: 'Reason',
  received: 'Received:',
  request_id: 'Request ID',
  /** The same texts as in the Admin API. */
  explanations: rejectionExplanations,
}
