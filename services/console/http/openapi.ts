import { z } from 'zod'
import {
  Account,
  type AdminFaultName,
  type AdminProcedure,
  AdminSite,
  ApiKey,
  AuditEntry,
  adminApi,
  adminFaults,
  Client,
  Member,
  ProviderSettings,
  UserDetail,
  UserExport,
} from '#admin-api'
import { CombinedProfile, Identifier, Link, ProviderData, Timestamp, User } from '#contracts'
import { admin_base } from './admin-routes.ts'
import { hasBody } from './input.ts'

type JsonSchema = Record<string, unknown>

/** Named once in the description, wherever answers have them. */
const shared = {
  Account,
  AdminSite,
  ApiKey,
  AuditEntry,
  Client,
  CombinedProfile,
  Identifier,
  Link,
  Member,
  ProviderData,
  ProviderSettings,
  Timestamp,
  User,
  UserDetail,
  UserExport,
}
const schema_place = '#/components/schemas/'

/** The Admin API in OpenAPI 3.1, as its procedures describe themselves. */
export function describeAdminApi(console_url: string) {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const [name, procedure] of Object.entries<AdminProcedure>(adminApi)) {
    const { path, method } = procedure
    paths[path] = { ...paths[path], [method.toLowerCase()]: describe(name, procedure) }
  }
  return {
    openapi: '3.1.1',
    info: { title: 'Social login: Admin API', version: '1', description: introduction },
    servers: [{ url: `${console_url}${admin_base}` }],
    security: [{ token: [] }],
    paths,
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer', description: 'A token, `slt_…`.' } },
      headers: {
        ETag: { description: 'The revision, for `If-Match`.', schema: { type: 'string' } },
        'Retry-After': { description: 'Seconds to wait before trying again.', schema: { type: 'integer' } },
      },
      responses: sharedRefusals(),
      schemas: { ...answerSchemas(), Error: errorSchema },
    },
  }
}

const introduction = `Everything that the management console does, for automation. Requests and answers are JSON; a token is sent as
\`Authorization: Bearer slt_…\`. A change of something with a revision names the one it changes by \`If-Match\`.`

const errorSchema = {
  type: 'object',
  properties: {
    error: {
      type: 'object',
      properties: {
        name: { type: 'string', enum: Object.keys(adminFaults) },
        message: { type: 'string', description: 'For people.' },
        field: { type: 'string', description: 'What it is about, e.g. `redirect_uris.0`.' },
        fields: {
          type: 'array',
          items: {
            type: 'object',
            properties: { field: { type: 'string' }, message: { type: 'string' } },
            required: ['field', 'message'],
          },
        },
      },
      required: ['name', 'message'],
    },
  },
  required: ['error'],
}

const who: Readonly<Record<AdminProcedure['role'], string>> = {
  viewer: 'For viewers of the account, and up.',
  editor: 'For editors of the account, and up.',
  owner: 'For owners of the account.',
  operator: 'For operators.',
  member: 'For everybody who is signed in.',
}

function describe(operationId: string, procedure: AdminProcedure) {
  const { path, method, summary, role, input, versioned } = procedure
  const in_path = new Set([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))
  const fields = Object.entries(input.shape)
  const others = fields.filter(([name]) => !in_path.has(name))
  const conditional = versioned === true && method !== 'GET'
  return {
    operationId,
    summary,
    description: who[role],
    parameters: [
      ...fields.filter(([name]) => in_path.has(name)).map(([name, schema]) => parameter(name, schema, 'path')),
      ...(hasBody(procedure) ? [] : others.map(([name, schema]) => parameter(name, schema, 'query'))),
      ...(conditional ? [ifMatch] : []),
    ],
    ...(hasBody(procedure) && others.length > 0
      ? { requestBody: { required: true, content: json(schemaOf(z.object(Object.fromEntries(others)), 'input')) } }
      : {}),
    responses: {
      200: {
        description: 'Done.',
        ...(versioned === true ? { headers: { ETag: { $ref: '#/components/headers/ETag' } } } : {}),
        content: json({ $ref: `${schema_place}${answerName(operationId)}` }),
      },
      ...refusals(procedure),
    },
  }
}

const ifMatch = {
  name: 'If-Match',
  in: 'header',
  required: true,
  description: 'The ETag of what is changed.',
  schema: { type: 'string', pattern: '^"\\d+"$' },
}

function parameter(name: string, schema: z.core.$ZodType, place: 'path' | 'query') {
  const required = place === 'path' || !z.safeParse(schema, undefined).success
  // In an address every value is a text; what it is read as says what it must look like.
  return { name, in: place, required, schema: schemaOf(schema, 'output') }
}

/** Every refusal a procedure can answer with, by its status. */
function refusals(procedure: AdminProcedure): Record<string, unknown> {
  const { path, role, sensitive, versioned, faults = {}, input, method } = procedure
  const changes = method !== 'GET'
  const named = new Set<AdminFaultName>([
    ...(Object.keys(input.shape).length > 0 ? (['invalid_request'] as const) : []),
    'not_signed_in',
    ...(role === 'member' ? [] : (['not_allowed'] as const)),
    ...(sensitive === true ? (['passkey_needed'] as const) : []),
    ...(path.includes('{') ? (['not_found'] as const) : []),
    ...(versioned === true && changes ? (['changed_meanwhile', 'revision_needed'] as const) : []),
    // Only names of faults are written into procedures.
    ...(Object.keys(faults) as AdminFaultName[]),
    'too_many_requests',
    'unavailable',
  ])
  const by_status = Map.groupBy(named, (name) => adminFaults[name].status)
  return Object.fromEntries(
    [...by_status].map(([status, names]) => {
      const own = names.some((name) => faults[name] !== undefined)
      return [status, own ? refusal(status, names, faults) : { $ref: `#/components/responses/${names.join('_or_')}` }]
    }),
  )
}

/** What most procedures refuse alike. */
function sharedRefusals(): Record<string, unknown> {
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
    content: json({ $ref: `${schema_place}Error` }),
  }
}

/** The objects that answers share, and each procedure's answer, by the names of their components. */
function answerSchemas(): Record<string, JsonSchema> {
  const named = z.registry<{ id: string }>()
  for (const [id, schema] of Object.entries(shared)) named.add(schema, { id })
  for (const [name, { output }] of Object.entries<AdminProcedure>(adminApi)) {
    // What a procedure answers may be one of the shared objects itself, which has its name already.
    named.add(output.clone(), { id: answerName(name) })
  }
  const options = { io: 'output', unrepresentable: 'any', uri: (id: string) => `${schema_place}${id}` } as const
  const { schemas } = z.toJSONSchema(named, options)
  return Object.fromEntries(Object.entries(schemas).map(([id, schema]) => [id, plain(schema)]))
}

/** `issueToken` → `IssueTokenAnswer` */
function answerName(operation: string): string {
  return `${operation.charAt(0).toUpperCase()}${operation.slice(1)}Answer`
}

function schemaOf(schema: z.core.$ZodType, io: 'input' | 'output'): JsonSchema {
  return plain(z.toJSONSchema(schema, { io, unrepresentable: 'any' }))
}

/** Without what only a document of its own needs. */
function plain({ $schema: _, $id: __, id: ___, ...schema }: JsonSchema): JsonSchema {
  return schema
}

function json(schema: JsonSchema) {
  return { 'application/json': { schema } }
}
