import { Identifier, PrimaryKey } from '#contracts'
import { isPresent, type Parameter } from './parameter.ts'
import { readText } from './text.ts'

/** The IDs that identify a user, at least one. Both must belong to the same user. */
export interface UserIds {
  readonly identifier: string | undefined
  readonly primary_key: string | undefined
}

/** A user's `identifier` or `primary_key` (specification, Shared conventions: Identifying a user). */
export function userIds(prefix = ''): Parameter<UserIds> {
  const identifier = `${prefix}identifier`
  const primaryKey = `${prefix}primary_key`
  return {
    fields: () => [
      {
        name: identifier,
        schema: Identifier,
        required: false,
        description: `Service user ID. Required unless \`${primaryKey}\` is sent; both must belong to the same user.`,
      },
      {
        name: primaryKey,
        schema: PrimaryKey,
        required: false,
        description: `Customer-side user ID. Required unless \`${identifier}\` is sent; both must belong to the same user.`,
      },
    ],
    missingDetail: { reason: 'user_missing', parameter: identifier },
    rejectedDetail: () => ({ reason: 'users_differ', parameter: primaryKey }),
    isMissing: (_, given) => !isPresent(identifier, given) && !isPresent(primaryKey, given),
    read: (_, given) => ({
      identifier: readText(identifier, Identifier, given),
      primary_key: readText(primaryKey, PrimaryKey, given),
    }),
  }
}
