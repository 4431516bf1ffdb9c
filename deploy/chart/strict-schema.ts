import { z } from 'zod'

type Schema = Readonly<Record<string, unknown>>

const Definition = z.looseObject({
  'x-kubernetes-group-version-kind': z
    .array(z.object({ group: z.string(), version: z.string(), kind: z.string() }))
    .optional(),
})
/** The format of Kubernetes' `api/openapi-spec/swagger.json`. */
const Swagger = z.object({ definitions: z.record(z.string(), Definition) })

const CustomResourceDefinition = z.object({
  spec: z.object({
    group: z.string(),
    names: z.object({ kind: z.string() }),
    versions: z.array(
      z.object({ name: z.string(), schema: z.object({ openAPIV3Schema: z.looseObject({}) }).optional() }),
    ),
  }),
})

/** The schema of one kind: an object with this `apiVersion` and `kind` has only these fields. */
export interface KindSchema {
  readonly group: string
  readonly version: string
  readonly kind: string
  readonly schema: Schema
}

/** The schemas of Kubernetes' built-in kinds, each complete and closed. Their definitions refer to one shared file. */
export function schemasOfKubernetes(swagger: unknown): { definitions: Schema; kinds: readonly KindSchema[] } {
  const { definitions } = Swagger.parse(swagger)
  const closed = Object.fromEntries(Object.entries(definitions).map(([name, schema]) => [name, close(schema, name)]))
  const kinds = Object.entries(definitions).flatMap(([name, schema]) =>
    (schema['x-kubernetes-group-version-kind'] ?? []).map((kind) => ({
      ...kind,
      schema: { $ref: `_definitions.json#/definitions/${name}` },
    })),
  )
  return { definitions: { definitions: closed }, kinds }
}

/** The schemas of a definition of custom resources, a version each. */
export function schemasOfCustomResource(definition: unknown): readonly KindSchema[] {
  const { group, names, versions } = CustomResourceDefinition.parse(definition).spec
  return versions.flatMap(({ name, schema }) =>
    schema === undefined
      ? []
      : [{ group, version: name, kind: names.kind, schema: asObject(close(schema.openAPIV3Schema, names.kind)) }],
  )
}

/** Types of Kubernetes that can be text or a number. */
const textOrNumber = [
  'io.k8s.apimachinery.pkg.util.intstr.IntOrString',
  'io.k8s.apimachinery.pkg.api.resource.Quantity',
]

function close(schema: unknown, name = ''): unknown {
  if (Array.isArray(schema)) return schema.map((one) => close(one))
  if (!isSchema(schema)) return schema
  if (textOrNumber.includes(name)) return { type: ['string', 'number'] }
  const { properties } = schema
  const own = Object.fromEntries(
    Object.entries(schema)
      .filter(([key]) => key !== 'description' && key !== 'default' && !key.startsWith('x-kubernetes-'))
      .filter(([key]) => key !== 'properties')
      .map(([key, value]) => [
        key,
        key === '$ref' ? `_definitions.json${value}` : key === 'required' ? value : close(value),
      ]),
  )
  if (schema['x-kubernetes-int-or-string'] === true) return { type: ['string', 'integer'] }
  if (!isSchema(properties)) return own
  const open = schema['x-kubernetes-preserve-unknown-fields'] === true || 'additionalProperties' in schema
  return {
    ...own,
    properties: Object.fromEntries(Object.entries(properties).map(([key, value]) => [key, close(value)])),
    ...(open ? {} : { additionalProperties: false }),
  }
}

/** Custom resources have Kubernetes' standard metadata. */
function asObject(schema: unknown): Schema {
  if (!isSchema(schema)) return {}
  const properties = isSchema(schema.properties) ? schema.properties : {}
  return { ...schema, properties: { ...properties, metadata: { type: 'object' } } }
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
