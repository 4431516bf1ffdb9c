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
  getFieldHelp,
  LinkedAccount,
  LoginLogEntry,
  Member,
  ProviderSettings,
  UserDetail,
  UserExport,
  UserImport,
  userPicture,
} from '#admin-api'
import { CombinedProfile, Identifier, ProviderData, ProviderDefinition, Timestamp, User } from '#contracts'
import { adminBasePath } from '../admin-paths.ts'
import { hasBody } from './input.ts'
import { describeErrors, describeSharedErrors, errorSchemas } from './openapi-errors.ts'

type JsonSchema = Record<string, unknown>

/** Schemas that several responses refer to. */
const sharedSchemas = {
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
  ProviderDefinition,
  ProviderSettings,
  LoginLogEntry,
  Timestamp,
  User,
  UserDetail,
  UserExport,
  UserImport,
}
const schemaPath = '#/components/schemas/'

/** Creates the OpenAPI 3.1 description of the Admin API from its procedures. */
export function describeAdminApi(consoleUrl: string) {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const [name, procedure] of Object.entries<AdminProcedure>(adminApi)) {
    const { path, method } = procedure
    const content = toJsonContent({ $ref: `${schemaPath}${toResponseName(name)}` })
    paths[path] = { ...paths[path], [method.toLowerCase()]: describeOperation(name, procedure, content) }
  }
  paths[exportFile.path] = { get: describeOperation('fetchExport', exportFile, { 'application/zip': {} }) }
  paths[userPicture.path] = { get: describeOperation('fetchUserPicture', userPicture, { 'image/jpeg': {} }) }
  return {
    openapi: '3.1.1',
    info: { title: 'Social login: Admin API', version: '1', description: introduction },
    servers: [{ url: `${consoleUrl}${adminBasePath}` }],
    security: [{ token: [] }],
    paths,
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer', description: 'A token, `slt_…`.' } },
      headers: {
        ETag: { description: 'The revision. Send it as `If-Match` with a change.', schema: { type: 'string' } },
        Age: {
          description: 'Changes of so many last seconds can be missing from the response. Absent: it is current.',
          schema: { type: 'integer' },
        },
        'Retry-After': { description: 'Seconds to wait before trying again.', schema: { type: 'integer' } },
      },
      responses: describeSharedErrors(),
      schemas: { ...createResponseSchemas(), ...errorSchemas },
    },
  }
}

const introduction = `The functions of the management console, for automation. Requests and responses are JSON. Send a token as
\`Authorization: Bearer slt_…\`. To change a resource with a revision, send its ETag as \`If-Match\`.`

const audiences: Readonly<Record<AdminProcedure['role'], string>> = {
  viewer: 'Requires the role viewer, editor or owner in the account.',
  editor: 'Requires the role editor or owner in the account.',
  owner: 'Requires the role owner in the account.',
  operator: 'Requires an operator.',
  member: 'Requires any signed-in member or token.',
}

type Described = Omit<AdminProcedure, 'output'>

function describeOperation(operationId: string, procedure: Described, answer: JsonSchema) {
  const { path, method, summary, role, input, versioned, mayBeStale } = procedure
  const inPath = new Set([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))
  const fields = Object.entries(input.shape)
  const others = fields.filter(([name]) => !inPath.has(name))
  const conditional = versioned === true && method !== 'GET'
  return {
    operationId,
    summary,
    description: audiences[role],
    parameters: [
      ...fields
        .filter(([name]) => inPath.has(name))
        .map(([name, schema]) => describeParameter(procedure, name, schema, 'path')),
      ...(hasBody(procedure)
        ? []
        : others.map(([name, schema]) => describeParameter(procedure, name, schema, 'query'))),
      ...(conditional ? [ifMatch] : []),
      ...(mayBeStale === true ? [cacheControl] : []),
    ],
    ...(hasBody(procedure) && others.length > 0
      ? {
          requestBody: {
            required: true,
            content: toJsonContent(createBodySchema(procedure, Object.fromEntries(others))),
          },
        }
      : {}),
    responses: {
      200: {
        description: 'Success.',
        ...(versioned === true ? { headers: { ETag: { $ref: '#/components/headers/ETag' } } } : {}),
        ...(mayBeStale === true ? { headers: { Age: { $ref: '#/components/headers/Age' } } } : {}),
        content: answer,
      },
      ...describeErrors(procedure),
    },
  }
}

const ifMatch = {
  name: 'If-Match',
  in: 'header',
  required: true,
  description: 'ETag of the revision that the change is based on.',
  schema: { type: 'string', pattern: '^"\\d+"$' },
}

const cacheControl = {
  name: 'Cache-Control',
  in: 'header',
  required: false,
  description:
    '`max-age=<seconds>`: the response may be so old, so that a replica of the database can serve it. Without it, the response is current.',
  schema: { type: 'string' },
}

/** Creates the schema of a JSON body, with the description of each field. */
function createBodySchema(procedure: Described, fields: z.core.$ZodShape): JsonSchema {
  const { properties = {}, ...schema } = z.toJSONSchema(z.object(fields), { io: 'input', unrepresentable: 'any' })
  const explained = Object.entries(properties).map(([name, property]) => [
    name,
    { description: getFieldHelp(procedure, name), ...Object(property) },
  ])
  return omitMeta({ ...schema, properties: Object.fromEntries(explained) })
}

function describeParameter(procedure: Described, name: string, schema: z.core.$ZodType, location: 'path' | 'query') {
  const required = location === 'path' || !z.safeParse(schema, undefined).success
  // Every value in a URL is text; the output schema describes its format.
  return {
    name,
    in: location,
    required,
    description: getFieldHelp(procedure, name),
    schema: toSchema(schema, 'output'),
  }
}

/** Creates the shared schemas and the response schema of each procedure, by component name. */
function createResponseSchemas(): Record<string, JsonSchema> {
  const named = z.registry<{ id: string }>()
  for (const [id, schema] of Object.entries(sharedSchemas)) named.add(schema, { id })
  for (const [name, { output }] of Object.entries<AdminProcedure>(adminApi)) {
    // A clone, because the output can be one of the shared schemas, which is already named.
    named.add(output.clone(), { id: toResponseName(name) })
  }
  const options = { io: 'output', unrepresentable: 'any', uri: (id: string) => `${schemaPath}${id}` } as const
  const { schemas } = z.toJSONSchema(named, options)
  return Object.fromEntries(Object.entries(schemas).map(([id, schema]) => [id, omitMeta(schema)]))
}

/** `issueToken` → `IssueTokenResponse` */
function toResponseName(operation: string): string {
  return `${operation.charAt(0).toUpperCase()}${operation.slice(1)}Response`
}

function toSchema(schema: z.core.$ZodType, io: 'input' | 'output'): JsonSchema {
  return omitMeta(z.toJSONSchema(schema, { io, unrepresentable: 'any' }))
}

/** Removes the fields that only a separate JSON Schema document needs. */
function omitMeta({ $schema: _, $id: __, id: ___, ...schema }: JsonSchema): JsonSchema {
  return schema
}

function toJsonContent(schema: JsonSchema) {
  return { 'application/json': { schema } }
}
