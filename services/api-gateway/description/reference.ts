import type { OpenApi } from './openapi.ts'

/**
 * The description for the reference that people read: each operation once, by GET at its first path, with a sentence about its
 * other forms. Samples send the key in a header, which logs do not contain.
 */
export function toReference(described: OpenApi) {
  const byOperation = Map.groupBy(Object.entries(described.paths), ([, { get }]) => get.summary)
  const paths = [...byOperation.values()].flatMap(([first, ...others]) => {
    if (first === undefined) return []
    const [path, { get }] = first
    const names = [path, ...others.map(([name]) => name)]
    const forms = `By GET, or by POST with the same parameters in a form.${others.length > 0 ? ` Also at ${names.slice(1).map(toCode).join(', ')}.` : ''}`
    return [[path, { get: { ...get, description: `${get.description}\n\n${forms}` } }]]
  })
  return {
    ...described,
    paths: Object.fromEntries(paths) as Record<string, object>,
    // `externalDocs` links to the page itself.
    externalDocs: undefined,
    security: [{ header: [] }, { bearer: [] }, { key: [] }],
  }
}

function toCode(path: string): string {
  return `\`${path}\``
}
