import { z } from 'zod'

/**
 * The loggable part of an error. Libraries put values into messages and details (Postgres the duplicate key, HTTP clients
 * the URL and body), so errors of libraries are reduced to kind, code and stack.
 */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { kind: typeof error }
  const described: Record<string, unknown> = { kind: error.name }
  for (const field of ['code', 'constraint', 'table', 'routine', 'status', 'syscall', 'fault'] as const) {
    const value: unknown = Reflect.get(error, field)
    if (typeof value === 'string' || typeof value === 'number') described[field] = value
  }
  if (error instanceof z.core.$ZodError) {
    described.issues = error.issues.map(({ code, path }) => ({ code, path: path.join('.') }))
  } else if (described.code === undefined) {
    described.message = error.message
  }
  described.at = stackOf(error)
  if (error.cause !== undefined) described.cause = describeError(error.cause)
  return described
}

/** The calls of the stack, without the message. */
function stackOf(error: Error): string[] {
  const calls = (error.stack ?? '').split('\n').filter((line) => line.startsWith('    at '))
  return calls.slice(0, 8).map((line) => line.trim().slice(3))
}
