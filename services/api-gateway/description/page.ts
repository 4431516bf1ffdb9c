import { faultReasons, faults } from '#contracts'
import { type Description, resourcesOf } from '../operation.ts'
import type { ApiFacts } from './openapi.ts'
import { refusalsOf } from './refusals.ts'
import { parameterSchema } from './schemas.ts'

/** Every error of the Web API once. The tables of the operations have the conditions. */
export function describeErrors({ operations }: ApiFacts) {
  const names = new Set(operations.flatMap((operation) => refusalsOf(operation).map(({ fault }) => fault)))
  return [...names, ...without_operation].map((name) => faults[name]).sort((a, b) => a.code - b.code)
}

/** Errors of requests that reach no operation. */
const without_operation = ['method_not_allowed', 'unknown_operation'] as const

export const reasons = Object.entries(faultReasons).map(([name, sentence]) => ({ name, sentence }))

/** What the readable page shows of each operation, in words and texts to print. */
export function describeOperations({ operations, names, web_api_url }: ApiFacts) {
  return operations.map((operation) => {
    const { name, summary, writes } = operation
    const [resource, ...others] = resourcesOf(operation, names)
    const { query, answer } = operation.example(names)
    return {
      name,
      summary,
      path: `/api/${resource}`,
      other_paths: others.map((other) => `/api/${other}`),
      effect: effectOf(writes),
      parameters: parametersOf(operation, names),
      curl: curl(`${web_api_url}/api/${resource}`, query),
      answer: JSON.stringify({ status: 'ok', ...answer }, undefined, 2),
      refusals: refusalsOf(operation),
    }
  })
}

function effectOf(writes: Description['writes']): string {
  if (typeof writes === 'string') return `Writes with ${writes}`
  return writes ? 'Writes' : 'Reads'
}

function parametersOf({ parameters }: Description, names: ApiFacts['names']) {
  return Object.entries(parameters).flatMap(([name, parameter]) => {
    const fields = parameter.fields(name, names)
    return fields.map(({ name, schema, required, description, deep }) => ({
      name: deep ? `${name}[…]` : name,
      required: required ? 'yes' : fields.length > 1 ? 'one of them' : 'no',
      description,
      values: valuesOf(parameterSchema(schema)),
    }))
  })
}

/** The values a parameter may have, when they can be told one by one. */
function valuesOf({ enum: values, propertyNames }: Record<string, unknown>): string[] {
  if (Array.isArray(values)) return values
  return typeof propertyNames === 'object' && propertyNames !== null ? valuesOf({ ...propertyNames }) : []
}

function curl(address: string, query: Readonly<Record<string, string>>): string {
  const parameters = Object.entries(query).map(([name, value]) => ` \\\n  --data-urlencode '${name}=${value}'`)
  const get = parameters.length > 0 ? '--get ' : ''
  return `curl ${get}${address} \\\n  -H "X-API-Key: $API_KEY"${parameters.join('')}`
}
