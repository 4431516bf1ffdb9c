import { z } from 'zod'
import {
  Account,
  type AdminProcedure,
  AdminSite,
  ApiKey,
  AuditEntry,
  adminApi,
  Client,
  exportFile,
  helpOf,
  LinkedAccount,
  Member,
  ProviderSettings,
  UserDetail,
  UserExport,
} from '#admin-api'
import { CombinedProfile, Identifier, ProviderData, Timestamp, User } from '#contracts'
import { adminBase } from './admin-base.ts'
import { hasBody } from './input.ts'
import { refusalSchemas, refusals, sharedRefusals } from './openapi-refusals.ts'

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
  Link: LinkedAccount,
  Member,
  ProviderData,
  ProviderSettings,
  Timestamp,
  User,
  UserDetail,
  UserExport,
}
const schemaPlace = '#/components/schemas/'

/** The Admin API in OpenAPI 3.1, as its procedures describe themselves. */
export function describeAdminApi(consoleUrl: string) {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const [name, procedure] of Object.entries<AdminProcedure>(adminApi)) {
    const { path, method } = procedure
    const answer = json({ $ref: `${schemaPlace}${answerName(name)}` })
    paths[path] = { ...paths[path], [method.toLowerCase()]: describe(name, procedure, answer) }
  }
  paths[exportFile.path] = { get: describe('fetchExport', exportFile, { 'application/zip': {} }) }
  return {
    openapi: '3.1.1',
    info: { title: 'Social login: Admin API', version: '1', description: introduction },
    servers: [{ url: `${consoleUrl}${adminBase}` }],
    security: [{ token: [] }],
    paths,
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer', description: 'A token, `slt_…`.' } },
      headers: {
        ETag: { description: 'The revision, for `If-Match`.', schema: { type: 'string' } },
        'Retry-After': { description: 'Seconds to wait before trying again.', schema: { type: 'integer' } },
      },
      responses: sharedRefusals(),
      schemas: { ...answerSchemas(), ...refusalSchemas },
    },
  }
}

const introduction = `Everything that the management console does, for automation. Requests and answers are JSON; a token is sent as
\`Authorization: Bearer slt_…\`. A change of something with a revision names the one it changes by \`If-Match\`.`

const who: Readonly<Record<AdminProcedure['role'], string>> = {
  viewer: 'For viewers of the account, and up.',
  editor: 'For editors of the account, and up.',
  owner: 'For owners of the account.',
  operator: 'For operators.',
  member: 'For everybody who is signed in.',
}

function describe(operationId: string, procedure: Omit<AdminProcedure, 'output'>, answer: JsonSchema) {
  const { path, method, summary, role, input, versioned } = procedure
  const inPath = new Set([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))
  const fields = Object.entries(input.shape)
  const others = fields.filter(([name]) => !inPath.has(name))
  const conditional = versioned === true && method !== 'GET'
  return {
    operationId,
    summary,
    description: who[role],
    parameters: [
      ...fields
        .filter(([name]) => inPath.has(name))
        .map(([name, schema]) => parameter(operationId, name, schema, 'path')),
      ...(hasBody(procedure) ? [] : others.map(([name, schema]) => parameter(operationId, name, schema, 'query'))),
      ...(conditional ? [ifMatch] : []),
    ],
    ...(hasBody(procedure) && others.length > 0
      ? { requestBody: { required: true, content: json(bodyOf(operationId, Object.fromEntries(others))) } }
      : {}),
    responses: {
      200: {
        description: 'Done.',
        ...(versioned === true ? { headers: { ETag: { $ref: '#/components/headers/ETag' } } } : {}),
        content: answer,
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

/** The JSON body of these fields, each with what it is. */
function bodyOf(operation: string, fields: z.core.$ZodShape): JsonSchema {
  const { properties = {}, ...schema } = z.toJSONSchema(z.object(fields), { io: 'input', unrepresentable: 'any' })
  const explained = Object.entries(properties).map(([name, property]) => [
    name,
    { description: helpOf(operation, name), ...Object(property) },
  ])
  return plain({ ...schema, properties: Object.fromEntries(explained) })
}

function parameter(operation: string, name: string, schema: z.core.$ZodType, place: 'path' | 'query') {
  const required = place === 'path' || !z.safeParse(schema, undefined).success
  // In an address every value is a text; what it is read as says what it must look like.
  return { name, in: place, required, description: helpOf(operation, name), schema: schemaOf(schema, 'output') }
}

/** The objects that answers share, and each procedure's answer, by the names of their components. */
function answerSchemas(): Record<string, JsonSchema> {
  const named = z.registry<{ id: string }>()
  for (const [id, schema] of Object.entries(shared)) named.add(schema, { id })
  for (const [name, { output }] of Object.entries<AdminProcedure>(adminApi)) {
    // What a procedure answers may be one of the shared objects itself, which has its name already.
    named.add(output.clone(), { id: answerName(name) })
  }
  const options = { io: 'output', unrepresentable: 'any', uri: (id: string) => `${schemaPlace}${id}` } as const
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
