import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { expect } from 'vitest'
import { z } from 'zod'

interface ObservedResponse {
  readonly method: string | undefined
  readonly status: number | undefined
  readonly body: unknown
  readonly cache_control: string | null | undefined
}

/** Fails unless the response must not be cached and matches the description that the gateway serves. */
export async function expectDocumented(
  { origin, pathname }: Pick<URL, 'origin' | 'pathname'>,
  { method = 'GET', status = 0, body, cache_control }: ObservedResponse,
): Promise<void> {
  expect(cache_control).toBe('no-store')
  if (method === 'HEAD') return
  const validate = await getValidator(origin)
  expect(validate({ method, pathname, status }, body), `${method} ${pathname} returned ${status}`).toEqual([])
}

type ResponseValidator = (
  response: { method: string; pathname: string; status: number },
  body: unknown,
) => readonly unknown[]

const validatorsByOrigin = new Map<string, Promise<ResponseValidator>>()

function getValidator(origin: string): Promise<ResponseValidator> {
  const known = validatorsByOrigin.get(origin)
  if (known) return known
  const validate = fetch(`${origin}/openapi.json`).then(async (response) => getValidatorByText(await response.text()))
  validatorsByOrigin.set(origin, validate)
  return validate
}

/** All gateways of a stack serve the same description. */
const validatorsByText = new Map<string, ResponseValidator>()

function getValidatorByText(served: string): ResponseValidator {
  const validate = validatorsByText.get(served) ?? createValidator(JSON.parse(served))
  validatorsByText.set(served, validate)
  return validate
}

const Responses = z.object({ responses: z.record(z.string(), z.object({ $ref: z.string() })) })
const Document = z.looseObject({ paths: z.record(z.string(), z.record(z.string(), Responses)) })

/** Returns why a response does not match, or undefined. */
function createValidator(served: unknown): ResponseValidator {
  const { paths } = Document.parse(served)
  const ajv = new Ajv2020({
    strict: false,
    validateSchema: false,
    allErrors: true,
    formats: { uri: (text: string) => URL.canParse(text) },
  })
  ajv.addSchema(closeObjects(served), 'openapi')

  const validators = new Map<string, ValidateFunction>()
  const compileSchema = (reference: string) => {
    const validate = validators.get(reference) ?? ajv.compile(toSchema(reference))
    validators.set(reference, validate)
    return validate
  }

  return ({ method, pathname, status }, body) => {
    const operation = paths[pathname]?.[method.toLowerCase()]
    const reference = operation ? operation.responses[status]?.$ref : unknownReferences[status]
    if (reference === undefined) return ['The description does not have this status.']
    const validate = compileSchema(reference)
    return validate(body) ? [] : (validate.errors ?? [])
  }
}

/** The responses to unknown paths and methods. */
const unknownReferences: Record<number, string> = {
  404: '#/components/schemas/unknown_operation',
  405: '#/components/schemas/method_not_allowed',
}

function toSchema(place: string) {
  if (place.startsWith('#/components/responses/')) return { $ref: `openapi${place}/content/application~1json/schema` }
  return { properties: { status: { const: 'failed' }, error: { $ref: `openapi${place}` } } }
}

/** The description allows further fields, for future releases; this release has none. */
function closeObjects(schema: unknown): object {
  return JSON.parse(JSON.stringify(schema), (_, value) =>
    value?.type === 'object' && value.properties ? { additionalProperties: false, ...value } : value,
  )
}
