import type { z } from 'zod'

/** What is wrong with a part of an input. */
export interface Complaint {
  readonly path: readonly string[]
  /** Goes on from the part's name: `must be a text`. */
  readonly message: string
}

/**
 * What is wrong with an input, in words that need no knowledge of the schema: the same by HTTP, on the command line and of its
 * files.
 *
 * @param given what was parsed
 */
export function complaintsOf({ issues }: z.core.$ZodError, given: unknown): Complaint[] {
  return issues.flatMap((issue) => {
    const path = issue.path.map(String)
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map((key) => ({ path: [...path, key], message: 'is not known here' }))
    const value = issue.path.reduce<unknown>((at, step) => Reflect.get(Object(at), step), given)
    return [{ path, message: value === undefined ? 'is missing' : reasonOf(issue) }]
  })
}

const kinds: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
}

const formats: Readonly<Record<string, string>> = {
  url: 'an address such as https://www.example.com',
  uuid: 'a UUID',
  hostname: 'a host name such as www.example.com',
  regex: 'of another form',
}

function reasonOf(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${kinds[issue.expected] ?? issue.expected}`
    case 'invalid_value':
      return `must be ${listed(issue.values)}`
    case 'too_small':
      return issue.origin === 'string' && issue.minimum === 1
        ? 'must not be empty'
        : `must ${measure(issue.origin)} at least ${issue.minimum}${unit(issue.origin)}`
    case 'too_big':
      return `must ${measure(issue.origin)} at most ${issue.maximum}${unit(issue.origin)}`
    case 'invalid_format':
      return issue.message.startsWith('Invalid')
        ? `must be ${formats[issue.format] ?? issue.format}`
        : own(issue.message)
    case 'invalid_key':
      return 'may not be called so'
    case 'invalid_union':
      return issue.message.startsWith('Invalid') ? 'has none of the forms it may have' : own(issue.message)
    default:
      return own(issue.message)
  }
}

function measure(origin: string): string {
  return origin === 'string' || origin === 'array' ? 'have' : 'be'
}

function unit(origin: string): string {
  if (origin === 'string') return ' characters'
  return origin === 'array' ? ' entries' : ''
}

function listed(values: readonly unknown[]): string {
  const [last, ...others] = values.map(String).reverse()
  return others.length === 0 ? `${last}` : `one of ${others.reverse().join(', ')} or ${last}`
}

/** A message that a schema of ours brought along, which says what must be. */
function own(message: string): string {
  return message.startsWith('must') || message.startsWith('is ') ? message : `is wrong: ${message}`
}
