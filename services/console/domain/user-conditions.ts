import { parseMetadataCondition, UserConditions } from '#contracts'

// The literal has the keys that its type names.
const names = Object.keys(UserConditions.shape) as (keyof UserConditions)[]

/** The conditions of an input that are set. */
export function pickConditions(input: UserConditions): UserConditions {
  return Object.fromEntries(names.flatMap((name) => (input[name] === undefined ? [] : [[name, input[name]]])))
}

/** The first condition of an input that is set; undefined if it is for all users. */
export function findCondition(input: UserConditions): keyof UserConditions | undefined {
  return names.find((name) => input[name] !== undefined)
}

/** The conditions as the audit trail has them: a value of metadata can be personal data, so only its path remains. */
export function toAuditedConditions({ metadata, ...others }: UserConditions): Readonly<Record<string, unknown>> {
  return metadata === undefined ? others : { ...others, metadata: parseMetadataCondition(metadata).path }
}
