import type { z } from 'zod'
import { type AdminReason, createReason, findReasonByMessage, formatReason } from '#admin-api'

/** A problem of an input: a message that continues after the field's name, and its reason if it has one. */
export interface Problem {
  readonly message: string
  readonly reason: AdminReason | undefined
}

/** A problem and the path of the field. */
export interface InputProblem extends Problem {
  readonly path: readonly string[]
}

/**
 * Converts schema issues to messages that readers understand without knowing the schema. The Admin API, the command line and its files
 * show the same messages.
 *
 * @param input the value that was parsed
 */
export function listProblems({ issues }: z.core.$ZodError, input: unknown): InputProblem[] {
  return issues.flatMap((issue): InputProblem[] => {
    const path = issue.path.map(String)
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map((key) => ({ path: [...path, key], ...toProblem(createReason('unknown_field')) }))
    const value = issue.path.reduce<unknown>((at, step) => Reflect.get(Object(at), step), input)
    return [{ path, ...(value === undefined ? toProblem(createReason('missing')) : describeIssue(issue)) }]
  })
}

export function toProblem(reason: AdminReason): Problem {
  return { message: formatReason(reason), reason }
}

/** The reason as responses contain it, so that the console can translate the message. */
export function toReasonFields(reason: AdminReason | undefined) {
  return reason === undefined ? {} : { reason: reason.name, parameters: { ...reason.parameters } }
}

/** Finds the reason of a message from a schema or a service. */
export function parseProblem(message: string): Problem {
  return { message, reason: findReasonByMessage(message) }
}

const typeReasons: Readonly<Record<string, AdminReason>> = {
  string: createReason('not_a_string'),
  number: createReason('not_a_number'),
  int: createReason('not_an_integer'),
  boolean: createReason('not_a_boolean'),
  array: createReason('not_a_list'),
  object: createReason('not_an_object'),
  record: createReason('not_an_object'),
}

const formatReasons: Readonly<Record<string, AdminReason>> = {
  uuid: createReason('not_a_uuid'),
  hostname: createReason('not_a_host_name'),
  regex: createReason('wrong_format'),
}

function describeIssue(issue: z.core.$ZodIssue): Problem {
  switch (issue.code) {
    case 'invalid_type':
      return toProblem(typeReasons[issue.expected] ?? createReason('wrong_value', { value: issue.expected }))
    case 'invalid_value':
      return toProblem(wrongValue(issue.values.map(String)))
    case 'too_small':
      return toProblem(tooSmall(issue.origin, String(issue.minimum)))
    case 'too_big':
      return toProblem(tooBig(issue.origin, String(issue.maximum)))
    case 'invalid_format':
      return issue.message.startsWith('Invalid')
        ? toProblem(formatReasons[issue.format] ?? createReason('wrong_value', { value: issue.format }))
        : describeCustomIssue(issue.message)
    case 'invalid_key':
      return toProblem(createReason('name_not_allowed'))
    case 'invalid_union':
      return issue.message.startsWith('Invalid')
        ? toProblem(createReason('no_matching_format'))
        : describeCustomIssue(issue.message)
    default:
      return describeCustomIssue(issue.message)
  }
}

function wrongValue(values: readonly string[]): AdminReason {
  const [value = ''] = values
  return values.length === 1
    ? createReason('wrong_value', { value })
    : createReason('value_not_allowed', { values: values.join(', ') })
}

function tooSmall(origin: string, count: string): AdminReason {
  if (origin === 'array') return createReason('too_few', { count })
  if (origin !== 'string') return createReason('too_small', { count })
  return count === '1' ? createReason('empty') : createReason('too_short', { count })
}

function tooBig(origin: string, count: string): AdminReason {
  if (origin === 'array') return createReason('too_many', { count })
  return origin === 'string' ? createReason('too_long', { count }) : createReason('too_large', { count })
}

/** Converts a custom message of our schemas, which says what the value must be. */
function describeCustomIssue(message: string): Problem {
  const problem = parseProblem(message)
  const isPhrase = problem.reason !== undefined || /^(must|is|has) /.test(message)
  return isPhrase ? problem : { ...problem, message: `is invalid: ${message}` }
}
