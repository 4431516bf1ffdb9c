import { z } from 'zod'
import { Follow, Identifier, PrimaryKey, Profile, type ProviderNames, Timestamp } from '#contracts'
import { MessagingObject, ProviderObject } from '../objects/provider-profiles.ts'
import { User } from '../objects/user.ts'
import type { Description } from '../operation.ts'

export type JsonSchema = Record<string, unknown>

/** Named once in the description, wherever answers have them. */
const shared = {
  Timestamp,
  Identifier,
  PrimaryKey,
  User,
  Profile,
  Follow,
  ProviderData: ProviderObject,
  MessagingData: MessagingObject,
}
const places = '#/components/schemas/'

export function answerPlace({ name }: Description): string {
  return `${places}${answerName(name)}`
}

/** What a parameter must look like as text. */
export function parameterSchema(schema: z.ZodType): JsonSchema {
  return plain(z.toJSONSchema(schema, { io: 'input' }))
}

/** The objects that answers share, and each operation's answer, by the names of their components. */
export function answerSchemas(operations: readonly Description[], names: ProviderNames): Record<string, JsonSchema> {
  const named = z.registry<{ id: string }>()
  for (const [id, schema] of Object.entries(shared)) named.add(schema, { id })
  for (const { name, answer } of operations)
    named.add(z.object({ status: z.literal('ok'), ...answer(names) }), { id: answerName(name) })
  const { schemas } = z.toJSONSchema(named, { io: 'input', uri: (id) => `${places}${id}` })
  return Object.fromEntries(Object.entries(schemas).map(([id, schema]) => [id, plain(schema)]))
}

/** `create_user` → `CreateUserAnswer` */
function answerName(name: string): string {
  const words = name.split('_').map((word) => word.charAt(0).toUpperCase() + word.slice(1))
  return `${words.join('')}Answer`
}

/** Without what only a document of its own needs. */
function plain({ $schema: _, $id: __, id: ___, ...schema }: JsonSchema): JsonSchema {
  return schema
}
