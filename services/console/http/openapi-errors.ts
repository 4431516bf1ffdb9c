import { type AdminFaultName, type AdminProcedure, adminFaults, adminReasons } from '#admin-api'

const reasonFields = {
  reason: { $ref: '#/components/schemas/ReasonName' },
  parameters: {
    type: 'object',
    additionalProperties: { type: 'string' },
    description: 'Values of the placeholders in the message.',
  },
}

const ReasonName = {
  type: 'string',
  enum: Object.keys(adminReasons),
  description: 'Stable name of the reason, if the message has one.',
}

const AdminError = {
  type: 'object',
  properties: {
    error: {
      type: 'object',
      properties: {
        name: { type: 'string', enum: Object.keys(adminFaults) },
        message: {
          type: 'string',
          description: 'What happened, why, and what to do. Do not parse it; use `name` and `reason`.',
        },
        field: { type: 'string', description: 'The field that caused the error, for example `redirect_uris.0`.' },
        ...reasonFields,
        fields: {
          type: 'array',
          items: {
            type: 'object',
            properties: { field: { type: 'string' }, message: { type: 'string' }, ...reasonFields },
            required: ['field', 'message'],
          },
        },
      },
      required: ['name', 'message'],
    },
  },
  required: ['error'],
}

/** Schemas of error responses. */
export const errorSchemas = { Error: AdminError, ReasonName }

/** Describes the errors of a procedure, by status. */
export function describeErrors(procedure: Omit<AdminProcedure, 'output'>): Record<string, unknown> {
  const { path, role, sensitive, versioned, faults = {}, input, method } = procedure
  const changes = method !== 'GET'
  const named = new Set<AdminFaultName>([
    ...(Object.keys(input.shape).length > 0 ? (['invalid_request'] as const) : []),
    'not_signed_in',
    ...(role === 'member' ? [] : (['not_allowed'] as const)),
    ...(sensitive !== undefined ? (['passkey_required'] as const) : []),
    ...(path.includes('{') ? (['not_found'] as const) : []),
    ...(versioned === true && changes ? (['revision_mismatch', 'revision_required'] as const) : []),
    // The type of procedures allows only names of faults.
    ...(Object.keys(faults) as AdminFaultName[]),
    'too_many_requests',
    'unavailable',
  ])
  const byStatus = Map.groupBy(named, (name) => adminFaults[name].status)
  return Object.fromEntries(
    [...byStatus].map(([status, names]) => {
      const own = names.some((name) => faults[name] !== undefined)
      return [
        status,
        own ? describeError(status, names, faults) : { $ref: `#/components/responses/${names.join('_or_')}` },
      ]
    }),
  )
}

/** Error responses that most procedures share. */
export function describeSharedErrors(): Record<string, unknown> {
  const singles = Object.keys(adminFaults) as AdminFaultName[]
  const sets: AdminFaultName[][] = [...singles.map((name) => [name]), ['not_allowed', 'passkey_required']]
  return Object.fromEntries(
    sets.map((names) => [
      names.join('_or_'),
      describeError(adminFaults[names[0] ?? 'internal_error'].status, names, {}),
    ]),
  )
}

function describeError(status: number, names: readonly AdminFaultName[], own: AdminProcedure['faults'] = {}) {
  const isRetryable = status === 429 || status === 503
  return {
    description: names.map((name) => `\`${name}\`: ${own[name] ?? adminFaults[name].message}`).join('\n\n'),
    ...(isRetryable ? { headers: { 'Retry-After': { $ref: '#/components/headers/Retry-After' } } } : {}),
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
  }
}
