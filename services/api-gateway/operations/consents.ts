import { z } from 'zod'
import { Consent, Identifier } from '#contracts'
import { exampleIdentifier } from '../objects/examples.ts'
import { noSuchUser } from '../objects/fault-conditions.ts'
import { defineOperation } from '../operation.ts'
import { userIds } from '../parameters/user-ids.ts'

export const consents = defineOperation({
  name: 'consents',
  title: 'Read consents',
  group: 'users',
  summary: 'Returns the latest answer of a user to each document, such as the terms of the site.',
  writes: false,
  parameters: { user: userIds() },
  faults: { entity_not_found: noSuchUser },
  response: () => ({ identifier: Identifier, consents: z.array(Consent) }),
  example: () => ({
    query: { identifier: exampleIdentifier },
    response: {
      identifier: exampleIdentifier,
      consents: [{ document: 'terms', version: 2, accepted: true, answered_at: '2026-05-12T03:21:45Z' }],
    },
  }),
  run({ user: named }, { identity }, { site: { site }, call }) {
    return identity.readConsents({ site, ...named }, call)
  },
})
