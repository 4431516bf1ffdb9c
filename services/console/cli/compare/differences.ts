/** A difference at a path of two responses, e.g. `error.documentation`. Absent values are undefined. */
export interface Difference {
  readonly path: string
  readonly before: unknown
  readonly after: unknown
}

/** The differences of two JSON values. Lists are compared by position. */
export function listDifferences(before: unknown, after: unknown, path = ''): Difference[] {
  if (isObject(before) && isObject(after) && Array.isArray(before) === Array.isArray(after)) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
    return names.flatMap((name) =>
      listDifferences(getMember(before, name), getMember(after, name), path === '' ? name : `${path}.${name}`),
    )
  }
  return Object.is(before, after) ? [] : [{ path, before, after }]
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function getMember(value: object, name: string): unknown {
  return Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined
}

/** The kind of a value without the value, for data of users. */
export function describeKind(value: unknown): string {
  if (value === undefined) return 'absent'
  if (value === null) return 'null'
  return Array.isArray(value) ? 'list' : typeof value
}
