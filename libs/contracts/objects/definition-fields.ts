import { z } from 'zod'
import { ProviderDefinition } from './provider-definition.ts'

/** How a form shows a setting of a definition. */
export type DefinitionField =
  | { readonly type: 'choice'; readonly values: readonly string[]; readonly default: string }
  | { readonly type: 'flag'; readonly default: boolean }
  | { readonly type: 'number'; readonly default: number }
  | { readonly type: 'text'; readonly default: string }
  /** Texts, or one each of the values. */
  | { readonly type: 'list'; readonly values?: readonly string[]; readonly default: readonly string[] }
  /** Texts by name. */
  | { readonly type: 'record' }

interface DefinitionForm {
  readonly fields: Readonly<Record<string, DefinitionField>>
  /** The endpoints by name. */
  readonly endpoints: readonly string[]
  /** The provider's scopes for each of ours, and those of every login. */
  readonly scopes: Readonly<Record<string, readonly string[]>>
}

type ProtocolType = z.infer<typeof ProviderDefinition>['protocol']['type']

/** What a form has for each protocol, from the schema of definitions. */
export const definitionForms: Readonly<Record<ProtocolType, DefinitionForm>> = Object.fromEntries(
  ProviderDefinition.shape.protocol.options.map(({ shape }) => {
    const { type, endpoints, scopes, claims: _, ...settings } = shape
    const fields = Object.entries(settings).flatMap(([name, schema]) => {
      const field = describeField(schema)
      return field === undefined ? [] : [[name, field] as const]
    })
    const form: DefinitionForm = {
      fields: Object.fromEntries(fields),
      endpoints: Object.keys(endpoints instanceof z.ZodDefault ? endpoints.unwrap().shape : endpoints.shape),
      scopes: scopes.parse({}),
    }
    return [type.value, form]
  }),
  // The protocols are those of the union.
) as Record<ProtocolType, DefinitionForm>

/** Undefined for a setting that only JSON can express. */
function describeField(given: z.core.$ZodType): DefinitionField | undefined {
  const initial: unknown = given instanceof z.ZodDefault ? given.def.defaultValue : undefined
  const schema = given instanceof z.ZodDefault || given instanceof z.ZodOptional ? given.unwrap() : given
  if (schema instanceof z.ZodEnum)
    return { type: 'choice', values: schema.options.map(String), default: String(initial) }
  if (schema instanceof z.ZodBoolean) return { type: 'flag', default: initial === true }
  if (schema instanceof z.ZodNumber) return { type: 'number', default: Number(initial) }
  if (schema instanceof z.ZodString || schema instanceof z.ZodURL)
    return { type: 'text', default: typeof initial === 'string' ? initial : '' }
  if (schema instanceof z.ZodArray) {
    const { element } = schema
    const entries = Array.isArray(initial) ? initial.map(String) : []
    return element instanceof z.ZodEnum
      ? { type: 'list', values: element.options.map(String), default: entries }
      : { type: 'list', default: entries }
  }
  // All parts of an object with a default are optional texts.
  const isRecord = schema instanceof z.ZodRecord || (schema instanceof z.ZodObject && initial !== undefined)
  return isRecord ? { type: 'record' } : undefined
}
