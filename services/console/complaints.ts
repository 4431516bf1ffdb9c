import type { z } from 'zod'
import { type AdminReason, because, reasonSaying, sentenceOf } from '#admin-api'

/** What is wrong, in words that go on from the name of a field, and by its name where it has one. */
export interface Complaint {
  readonly message: string
  readonly reason: AdminReason | undefined
}

/** What is wrong with a part of an input. */
export interface PlacedComplaint extends Complaint {
  readonly path: readonly string[]
}

/**
 * What is wrong with an input, in words that need no knowledge of the schema: the same by HTTP, on the command line and of its
 * files.
 *
 * @param given what was parsed
 */
export function complaintsOf({ issues }: z.core.$ZodError, given: unknown): PlacedComplaint[] {
  return issues.flatMap((issue): PlacedComplaint[] => {
    const path = issue.path.map(String)
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map((key) => ({ path: [...path, key], ...complain(because('unknown_field')) }))
    const value = issue.path.reduce<unknown>((at, step) => Reflect.get(Object(at), step), given)
    return [{ path, ...(value === undefined ? complain(because('missing')) : complaintOf(issue)) }]
  })
}

export function complain(reason: AdminReason): Complaint {
  return { message: sentenceOf(reason), reason }
}

/** A complaint that a schema or a service told in words. */
export function toldInWords(message: string): Complaint {
  return { message, reason: reasonSaying(message) }
}

const kinds: Readonly<Record<string, AdminReason>> = {
  string: because('no_text'),
  number: because('no_number'),
  int: because('no_whole_number'),
  boolean: because('no_boolean'),
  array: because('no_list'),
  object: because('no_object'),
  record: because('no_object'),
}

const formats: Readonly<Record<string, AdminReason>> = {
  uuid: because('no_uuid'),
  hostname: because('no_host_name'),
  regex: because('other_form'),
}

function complaintOf(issue: z.core.$ZodIssue): Complaint {
  switch (issue.code) {
    case 'invalid_type':
      return complain(kinds[issue.expected] ?? because('other_value', { value: issue.expected }))
    case 'invalid_value':
      return complain(oneOf(issue.values.map(String)))
    case 'too_small':
      return complain(tooSmall(issue.origin, String(issue.minimum)))
    case 'too_big':
      return complain(tooBig(issue.origin, String(issue.maximum)))
    case 'invalid_format':
      return issue.message.startsWith('Invalid')
        ? complain(formats[issue.format] ?? because('other_value', { value: issue.format }))
        : own(issue.message)
    case 'invalid_key':
      return complain(because('other_name'))
    case 'invalid_union':
      return issue.message.startsWith('Invalid') ? complain(because('no_form')) : own(issue.message)
    default:
      return own(issue.message)
  }
}

function oneOf(values: readonly string[]): AdminReason {
  const [value = ''] = values
  return values.length === 1
    ? because('other_value', { value })
    : because('other_values', { values: values.join(', ') })
}

function tooSmall(origin: string, count: string): AdminReason {
  if (origin === 'array') return because('too_few', { count })
  if (origin !== 'string') return because('too_small', { count })
  return count === '1' ? because('empty') : because('too_short', { count })
}

function tooBig(origin: string, count: string): AdminReason {
  if (origin === 'array') return because('too_many', { count })
  return origin === 'string' ? because('too_long', { count }) : because('too_large', { count })
}

/** A message that a schema of ours brought along, which says what must be. */
function own(message: string): Complaint {
  const told = toldInWords(message)
  const goesOn = told.reason !== undefined || message.startsWith('must') || message.startsWith('is ')
  return goesOn ? told : { ...told, message: `is wrong: ${message}` }
}
