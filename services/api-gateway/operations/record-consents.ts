import { z } from 'zod'
import { Consent, Identifier } from '#contracts'
import { exampleIdentifier } from '../objects/examples.ts'
import { noSuchUser } from '../objects/fault-conditions.ts'
import { defineOperation } from '../operation.ts'
import { documentAnswers } from '../parameters/document-answers.ts'
import { userIds } from '../parameters/user-ids.ts'

export const recordConsents = defineOperation({
  name: 'record_consents',
  title: 'Record consents',
  group: 'users',
  summary:
    'Stores what a user answered to documents in your own pages, and returns the latest answer to each document. Logins do not ask again for what is stored.',
  writes: true,
  parameters: { user: userIds(), answers: documentAnswers() },
  faults: { entity_not_found: noSuchUser },
  response: () => ({ identifier: Identifier, consents: z.array(Consent) }),
  example: () => ({
    query: { identifier: exampleIdentifier, accepted_documents: 'terms:2' },
    response: {
      identifier: exampleIdentifier,
      consents: [{ document: 'terms', version: 2, accepted: true, answered_at: '2026-05-12T03:21:45Z' }],
    },
  }),
  run({ user: named, answers }, { identity }, { site: { site }, call, command }) {
    return identity.recordConsents({ site, ...named, answers, command }, call)
  },
})
