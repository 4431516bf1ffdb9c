import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { expect } from 'vitest'
import { z } from 'zod'

interface Told {
  readonly method: string | undefined
  readonly status: number | undefined
  readonly body: unknown
  readonly cache_control: string | null | undefined
}

/** Fails unless nobody may keep the answer and it is, field by field, one that the description served there has for the request. */
export async function expectDescribed(
  { origin, pathname }: Pick<URL, 'origin' | 'pathname'>,
  { method = 'GET', status = 0, body, cache_control }: Told,
): Promise<void> {
  expect(cache_control).toBe('no-store')
  if (method === 'HEAD') return
  const judge = await judgeAt(origin)
  expect(judge({ method, pathname, status }, body), `${method} ${pathname} answered ${status}`).toEqual([])
}

type Judge = (answer: { method: string; pathname: string; status: number }, body: unknown) => readonly unknown[]

const judges = new Map<string, Promise<Judge>>()

function judgeAt(origin: string): Promise<Judge> {
  const known = judges.get(origin)
  if (known) return known
  const judge = fetch(`${origin}/openapi.json`).then(async (response) => judgeBy(await response.text()))
  judges.set(origin, judge)
  return judge
}

/** Gateways of one stack serve the same description. */
const judgesByText = new Map<string, Judge>()

function judgeBy(served: string): Judge {
  const judge = judgesByText.get(served) ?? createJudge(JSON.parse(served))
  judgesByText.set(served, judge)
  return judge
}

const Responses = z.object({ responses: z.record(z.string(), z.object({ $ref: z.string() })) })
const Document = z.looseObject({ paths: z.record(z.string(), z.record(z.string(), Responses)) })

/** Tells what is wrong with an answer. */
function createJudge(served: unknown): Judge {
  const { paths } = Document.parse(served)
  const ajv = new Ajv2020({
    strict: false,
    validateSchema: false,
    allErrors: true,
    formats: { uri: (text: string) => URL.canParse(text) },
  })
  ajv.addSchema(closed(served), 'openapi')

  const validators = new Map<string, ValidateFunction>()
  const validatorOf = (place: string) => {
    const validate = validators.get(place) ?? ajv.compile(schemaOf(place))
    validators.set(place, validate)
    return validate
  }

  return ({ method, pathname, status }, body) => {
    const operation = paths[pathname]?.[method.toLowerCase()]
    const place = operation ? operation.responses[status]?.$ref : unknownPlaces[status]
    if (place === undefined) return ['The description does not have this status.']
    const validate = validatorOf(place)
    return validate(body) ? [] : (validate.errors ?? [])
  }
}

/** What a place or a method that the description does not have answers with. */
const unknownPlaces: Record<number, string> = {
  404: '#/components/schemas/unknown_operation',
  405: '#/components/schemas/method_not_allowed',
}

function schemaOf(place: string) {
  if (place.startsWith('#/components/responses/')) return { $ref: `openapi${place}/content/application~1json/schema` }
  return { properties: { status: { const: 'failed' }, error: { $ref: `openapi${place}` } } }
}

/** A description allows further fields, for releases to come; this release has none. */
function closed(schema: unknown): object {
  return JSON.parse(JSON.stringify(schema), (_, value) =>
    value?.type === 'object' && value.properties ? { additionalProperties: false, ...value } : value,
  )
}
