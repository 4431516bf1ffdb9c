import { z } from 'zod'
import { Fault, Identifier, limits } from '#contracts'
import { exampleIdentifier } from '../objects/examples.ts'
import { defineOperation } from '../operation.ts'
import { searchedValues } from '../parameters/searched-values.ts'

export const findUsers = defineOperation({
  name: 'find_users',
  title: 'Find users',
  group: 'users',
  summary: `Returns the identifiers of the users whose profile has this e-mail address or phone number, at most ${limits.found_users}. The site must have switched on the field. An address can belong to several users and may not be verified, so never log a user in by it.`,
  writes: false,
  parameters: { values: searchedValues() },
  faults: {
    invalid_parameter:
      'The site has not switched on finding users by the field (`error.reason` is `field_not_indexed`).',
  },
  response: () => ({
    users: z.array(Identifier),
    /** Whether more users match. */
    more: z.boolean(),
    /** Whether stored profiles are still being indexed, so that users can be missing. */
    indexing: z.boolean(),
  }),
  example: () => ({
    query: { email: 'taro@example.com' },
    response: { users: [exampleIdentifier], more: false, indexing: false },
  }),
  async run({ values }, { profile }, { site: { site }, call }) {
    const searches = (['email', 'phone_number'] as const).flatMap((field) => {
      const q = values[field]
      return q === undefined ? [] : [{ field, q }]
    })
    const results = await Promise.all(
      searches.map(async ({ field, q }) => {
        const result = await profile.findUsers({ site, q, fields: [field] }, call)
        if (!result.fields.includes(field))
          throw new Fault('invalid_parameter', { detail: { reason: 'field_not_indexed', parameter: field } })
        return result
      }),
    )
    const lists = results.map(({ users }) => users.map(({ identifier }) => identifier))
    const [first = [], ...others] = lists
    return {
      users: first.filter((identifier) => others.every((list) => list.includes(identifier))),
      more: results.some(({ more }) => more),
      indexing: results.some(({ indexing }) => indexing),
    }
  },
})
