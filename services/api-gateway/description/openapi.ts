import { faultReasonNames, faultReasons, faults, internalFaults, isFaultName, type ProviderNames } from '#contracts'
import { type OperationDescription, operationGroups, resourcesOf } from '../operation.ts'
import type { Field } from '../parameters/parameter.ts'
import { listErrors, type OperationError } from './operation-errors.ts'
import { type JsonSchema, parameterSchema, responseReference, responseSchemas } from './schemas.ts'

export interface ApiFacts {
  readonly operations: readonly OperationDescription[]
  readonly names: ProviderNames
  /** The public base address, without `/api`. */
  readonly webApiUrl: string
  /** The authorization endpoint's base address; undefined if not configured. */
  readonly auth_url: string | undefined
}

/** Describes the Web API in OpenAPI 3.1, from the operations. */
export function describeApi({ operations, names, webApiUrl, auth_url }: ApiFacts) {
  const paths = operations.flatMap((operation) =>
    resourcesOf(operation, names).map((resource, index) => [
      `/api/${resource}`,
      pathItem(operation, names, index === 0 ? operation.name : `${operation.name}_${index + 1}`),
    ]),
  )
  return {
    openapi: '3.1.1',
    info: { title: 'Social login: Web API', version: '1', description: introduction },
    externalDocs: { description: 'Web API documentation', url: `${webApiUrl}/docs` },
    ...(auth_url && { 'x-openid-configuration': `${auth_url}/.well-known/openid-configuration` }),
    servers: [{ url: webApiUrl }],
    security: [{ key: [] }, { header: [] }, { bearer: [] }],
    tags: Object.values(operationGroups).map((name) => ({ name })),
    paths: Object.fromEntries(paths) as Record<string, ReturnType<typeof pathItem>>,
    components: {
      securitySchemes: {
        key: {
          type: 'apiKey',
          in: 'query',
          name: 'key',
          description: 'The API key. In a POST, it can be in the form.',
        },
        header: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
        bearer: { type: 'http', scheme: 'bearer' },
      },
      parameters: { IdempotencyKey: idempotencyKey, CacheControl: cacheControl },
      headers,
      responses: Object.fromEntries(operations.flatMap((operation) => namedResponses(operation, names))),
      schemas: { ...responseSchemas(operations, names), ...errorSchemas() },
    },
  }
}
export type OpenApi = ReturnType<typeof describeApi>

const introduction = `User records, login-provider links, profile data and provider credentials, for a customer’s servers.
Call every operation by GET, or by POST with the same parameters in a form. Responses are JSON.`

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'For 24 hours, a repeat of the same request with the same key gets the first response again. Responses of 5xx are not stored.',
  schema: { type: 'string', pattern: '^[\\x20-\\x7e]{1,255}$' },
}

const cacheControl = {
  name: 'Cache-Control',
  in: 'header',
  required: false,
  description:
    '`max-age=<seconds>` limits how old the response may be (`Age`); `max-age=0`: it must be current. Without effect unless the site allows older responses.',
  schema: { type: 'string' },
}

const headers = {
  'X-RateLimit-Limit': header('Requests that the service can send in a window.', { type: 'integer' }),
  'X-RateLimit-Remaining': header('Requests left in this window.', { type: 'integer' }),
  'X-RateLimit-Reset': header('When the window ends.', { type: 'string', format: 'date-time' }),
  Age: header('Changes of so many last seconds can be missing from the response. Only if the site allows it.', {
    type: 'integer',
  }),
  'Retry-After': header('Seconds to wait before you retry.', { type: 'integer' }),
}

function header(description: string, schema: JsonSchema) {
  return { description, schema }
}

function headerReferences(...names: (keyof typeof headers)[]) {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

function pathItem(operation: OperationDescription, names: ProviderNames, operationId: string) {
  const fields = Object.entries(operation.parameters).flatMap(([name, parameter]) => parameter.fields(name, names))
  const headerFields = [
    ...(operation.writes ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
    ...(operation.mayBeStale ? [{ $ref: '#/components/parameters/CacheControl' }] : []),
  ]
  const statuses = Object.keys(responsesOf(operation, names))
  const responses = Object.fromEntries(
    statuses.map((status) => [status, { $ref: `#/components/responses/${operation.name}_${status}` }]),
  )
  const about = { tags: [operationGroups[operation.group]], summary: operation.title, description: operation.summary }
  return {
    get: { operationId, ...about, parameters: [...fields.map(queryParameter), ...headerFields], responses },
    post: {
      operationId: `${operationId}_by_post`,
      ...about,
      parameters: headerFields,
      requestBody: { content: { 'application/x-www-form-urlencoded': form(fields) } },
      responses,
    },
  }
}

const deepStyle = { style: 'deepObject', explode: true }

function queryParameter({ name, schema, required, description, deep }: Field) {
  const style = deep ? deepStyle : {}
  return { name, in: 'query', required, description, ...style, schema: parameterSchema(schema) }
}

function form(fields: readonly Field[]) {
  const properties = fields.map(({ name, schema, description }) => [name, { description, ...parameterSchema(schema) }])
  const required = fields.filter((field) => field.required).map(({ name }) => name)
  const deep = fields.filter((field) => field.deep).map(({ name }) => [name, deepStyle])
  return {
    schema: { type: 'object', properties: Object.fromEntries(properties), required },
    ...(deep.length > 0 ? { encoding: Object.fromEntries(deep) } : {}),
  }
}

/** An operation's responses, shared by its methods and paths. */
function namedResponses(operation: OperationDescription, names: ProviderNames) {
  const responses = Object.entries(responsesOf(operation, names))
  return responses.map(([status, response]) => [`${operation.name}_${status}`, response] as const)
}

function responsesOf(operation: OperationDescription, names: ProviderNames) {
  const { response } = operation.example(names)
  const ok = {
    description: 'Done.',
    headers: headerReferences(
      'X-RateLimit-Limit',
      'X-RateLimit-Remaining',
      'X-RateLimit-Reset',
      ...(operation.mayBeStale ? (['Age'] as const) : []),
    ),
    content: json({ $ref: responseReference(operation) }, { status: 'ok', ...response }),
  }
  const errorsByStatus = Map.groupBy(listErrors(operation), ({ status }) => status)
  const rows = [...errorsByStatus].map(([status, errors]) => [status, errorResponse(status, errors)])
  return { 200: ok, ...Object.fromEntries(rows) }
}

function errorResponse(status: number, errors: readonly OperationError[]) {
  const rows = errors.map(({ code, message, when }) => `${code} “${message}” ${when.join(' ')}`)
  const references = errors.map(({ fault }) => ({ $ref: `#/components/schemas/${fault}` }))
  const schema = {
    type: 'object',
    properties: { status: { const: 'failed' }, error: { oneOf: references } },
    required: ['status', 'error'],
  }
  const waits = status === 429 || status === 503 ? { headers: headerReferences('Retry-After') } : {}
  return { description: rows.join('\n\n'), ...waits, content: json(schema) }
}

function json(schema: JsonSchema, example?: object) {
  return { 'application/json': { schema, ...(example ? { example } : {}) } }
}

/** Members of an error in addition to the specification's. */
const errorDetails = {
  parameter: { type: 'string', description: 'The parameter or header field that caused the error.' },
  reason: {
    enum: faultReasonNames,
    description: Object.entries(faultReasons)
      .map(([name, sentence]) => `\`${name}\`: ${sentence}`)
      .join('\n\n'),
  },
  place: { type: 'string', description: 'JSON Pointer to what breaks a rule of a schema; `/` for the whole value.' },
  rule: { type: 'string', description: 'The keyword of the schema.' },
  documentation: { type: 'string', format: 'uri', description: 'Where the error is described.' },
}

/** Schemas of all errors of the Web API, by name. */
function errorSchemas(): Record<string, JsonSchema> {
  const publicFaults = Object.entries(faults).filter(([name]) => isFaultName(name) && !internalFaults.includes(name))
  const schemas = publicFaults.map(([name, { code, message }]) => [
    name,
    {
      type: 'object',
      properties: { code: { const: code }, message: { const: message }, ...errorDetails },
      // A compatibility option of the site leaves out the other members.
      required: ['code', 'message'],
    },
  ])
  return Object.fromEntries(schemas)
}
