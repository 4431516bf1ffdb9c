import type { DocumentedValue } from './documented-values.ts'

/** The table of a chart's values for its README, in the order of `values.yaml`, with a heading for each value at the top. */
export function createValuesTable(values: readonly DocumentedValue[]): string {
  const single = values.filter(({ children, like }) => children.length === 0 && like === undefined)
  const groups = values.filter((value) => !single.includes(value))
  const others = single.length === 0 ? [] : [`### Others\n\n${table(single)}`]
  return [...groups.map(section), ...others].join('\n\n')
}

function section({ path, description, children }: DocumentedValue): string {
  return `### \`${path.join('.')}\`\n\n${description}\n\n${table(children.flatMap(leaves))}`
}

/** A value with the shape of another value is one row that refers to it. */
function leaves(value: DocumentedValue): readonly DocumentedValue[] {
  return value.children.length === 0 ? [value] : [...(value.defines ? [value] : []), ...value.children.flatMap(leaves)]
}

function table(values: readonly DocumentedValue[]): string {
  const rows = values.map(
    (value) => `| \`${value.path.join('.')}\` | ${typeName(value)} | ${initially(value)} | ${value.description} |`,
  )
  return ['| Value | Type | Default | Meaning |', '|---|---|---|---|', ...rows].join('\n')
}

function typeName({ types, one_of, holds, like, defines }: DocumentedValue): string {
  const shape = like ?? defines
  if (shape !== undefined) return `${shape}`
  if (one_of !== undefined) return one_of.map((one) => `\`${one}\``).join(', ')
  if (holds !== undefined) return types[0] === 'array' ? `list of ${holds}` : `map of ${holds}`
  return types.filter((type) => type !== 'null').join(' or ')
}

function initially({ initial, defines }: DocumentedValue): string {
  if (initial === null || defines !== undefined) return ''
  return `\`${JSON.stringify(initial)}\``
}
