import { type AdminFaultName, type AdminProcedure, adminFaults, adminReasons } from '#admin-api'

const why = {
  reason: { $ref: '#/components/schemas/ReasonName' },
  parameters: {
    type: 'object',
    additionalProperties: { type: 'string' },
    description: 'What the message is filled with.',
  },
}

const ReasonName = {
  type: 'string',
  enum: Object.keys(adminReasons),
  description: 'The stable name of what a message says, where it has one.',
}

const AdminError = {
  type: 'object',
  properties: {
    error: {
      type: 'object',
      properties: {
        name: { type: 'string', enum: Object.keys(adminFaults) },
        message: { type: 'string', description: 'For people.' },
        field: { type: 'string', description: 'What it is about, e.g. `redirect_uris.0`.' },
        ...why,
        fields: {
          type: 'array',
          items: {
            type: 'object',
            properties: { field: { type: 'string' }, message: { type: 'string' }, ...why },
            required: ['field', 'message'],
          },
        },
      },
      required: ['name', 'message'],
    },
  },
  required: ['error'],
}

/** Of what refusals answer. */
export const refusalSchemas = { Error: AdminError, ReasonName }

/** Every refusal a procedure can answer with, by its status. */
export function refusals(procedure: Omit<AdminProcedure, 'output'>): Record<string, unknown> {
  const { path, role, sensitive, versioned, faults = {}, input, method } = procedure
  const changes = method !== 'GET'
  const named = new Set<AdminFaultName>([
    ...(Object.keys(input.shape).length > 0 ? (['invalid_request'] as const) : []),
    'not_signed_in',
    ...(role === 'member' ? [] : (['not_allowed'] as const)),
    ...(sensitive !== undefined ? (['passkey_needed'] as const) : []),
    ...(path.includes('{') ? (['not_found'] as const) : []),
    ...(versioned === true && changes ? (['changed_meanwhile', 'revision_needed'] as const) : []),
    // Only names of faults are written into procedures.
    ...(Object.keys(faults) as AdminFaultName[]),
    'too_many_requests',
    'unavailable',
  ])
  const byStatus = Map.groupBy(named, (name) => adminFaults[name].status)
  return Object.fromEntries(
    [...byStatus].map(([status, names]) => {
      const own = names.some((name) => faults[name] !== undefined)
      return [status, own ? refusal(status, names, faults) : { $ref: `#/components/responses/${names.join('_or_')}` }]
    }),
  )
}

/** What most procedures refuse alike. */
export function sharedRefusals(): Record<string, unknown> {
  const alone = Object.keys(adminFaults) as AdminFaultName[]
  const sets: AdminFaultName[][] = [...alone.map((name) => [name]), ['not_allowed', 'passkey_needed']]
  return Object.fromEntries(
    sets.map((names) => [names.join('_or_'), refusal(adminFaults[names[0] ?? 'internal_error'].status, names, {})]),
  )
}

function refusal(status: number, names: readonly AdminFaultName[], own: AdminProcedure['faults'] = {}) {
  const waits = status === 429 || status === 503
  return {
    description: names.map((name) => `\`${name}\`: ${own[name] ?? adminFaults[name].message}`).join('\n\n'),
    ...(waits ? { headers: { 'Retry-After': { $ref: '#/components/headers/Retry-After' } } } : {}),
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
  }
}
