import { z } from 'zod'
import { Follow, Identifier, PrimaryKey, Profile, type ProviderNames, Timestamp } from '#contracts'
import { MessagingObject, ProviderObject } from '../objects/provider-profiles.ts'
import { UserObject } from '../objects/user.ts'
import type { OperationDescription } from '../operation.ts'

export type JsonSchema = Record<string, unknown>

/** Schemas that responses share, by their component names. */
const shared = {
  Timestamp,
  Identifier,
  PrimaryKey,
  User: UserObject,
  Profile,
  Follow,
  ProviderData: ProviderObject,
  MessagingData: MessagingObject,
}
const schemaPrefix = '#/components/schemas/'

export function responseReference({ name }: OperationDescription): string {
  return `${schemaPrefix}${responseName(name)}`
}

/** The JSON schema of a parameter as text. */
export function parameterSchema(schema: z.ZodType): JsonSchema {
  return removeDocumentMembers(z.toJSONSchema(schema, { io: 'input' }))
}

/** The shared schemas and each operation's response schema, by component name. */
export function responseSchemas(
  operations: readonly OperationDescription[],
  names: ProviderNames,
): Record<string, JsonSchema> {
  const named = z.registry<{ id: string }>()
  for (const [id, schema] of Object.entries(shared)) named.add(schema, { id })
  for (const { name, response, furtherFields } of operations) {
    const schema = z.object({ status: z.literal('ok'), ...response(names) })
    named.add(furtherFields === undefined ? schema : schema.catchall(furtherFields), { id: responseName(name) })
  }
  const { schemas } = z.toJSONSchema(named, { io: 'input', uri: (id) => `${schemaPrefix}${id}` })
  return Object.fromEntries(Object.entries(schemas).map(([id, schema]) => [id, removeDocumentMembers(schema)]))
}

/** `create_user` → `CreateUserResponse` */
function responseName(name: string): string {
  const words = name.split('_').map((word) => word.charAt(0).toUpperCase() + word.slice(1))
  return `${words.join('')}Response`
}

/** Removes members that are only for separate documents. */
function removeDocumentMembers({ $schema: _, $id: __, id: ___, ...schema }: JsonSchema): JsonSchema {
  return schema
}
