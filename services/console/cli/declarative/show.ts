import type { SecretReference } from '../domain/desired.ts'
import type { Change, Plan, Step } from '../domain/step.ts'
import { cell } from '../table.ts'

const signs = { create: '+', change: '~', remove: '-' } as const

/** The plan for people: each thing with what becomes of its fields; secrets never. */
export function shownPlan({ steps, notes }: Plan): string {
  const parts = steps.map((step) => [headOf(step), ...changesOf(step).map((line) => `    ${line}`)].join('\n'))
  const remarks = notes.map((note) => `  ${note}`)
  return [...parts, ...(remarks.length > 0 ? [['Note:', ...remarks].join('\n')] : []), summaryOf(steps), ''].join('\n')
}

/** One line, e.g. `~ site demo/shop`. */
export function headOf({ kind, subject }: Step): string {
  return `${signs[kind]} ${cell(subject)}`
}

function changesOf({ kind, changes, secrets = [], tells_secret }: Step): string[] {
  return [
    ...changes.flatMap((change) =>
      kind === 'change' ? changed(change) : [`${change.field}: ${told(change.after ?? change.before)}`],
    ),
    ...secrets.map(({ path, reference, why }) => `${path.join('.')}: sent, from ${source(reference)} (${why})`),
    ...(tells_secret ? ['its secret is shown only once, see --secrets-out'] : []),
  ]
}

/** Of a list, what comes and goes; of anything else, before and after. */
function changed({ field, before, after }: Change): string[] {
  if (!Array.isArray(before) || !Array.isArray(after)) return [`${field}: ${told(before)} → ${told(after)}`]
  const gone = before.filter((item) => !after.includes(item)).map((item) => `${field}: - ${told(item)}`)
  const come = after.filter((item) => !before.includes(item)).map((item) => `${field}: + ${told(item)}`)
  return [...gone, ...come]
}

function told(value: unknown): string {
  return value === '' ? '""' : cell(value)
}

function source(reference: SecretReference): string {
  return 'from_env' in reference ? `the variable ${reference.from_env}` : `the file ${reference.from_file}`
}

function summaryOf(steps: readonly Step[]): string {
  if (steps.length === 0) return 'Nothing to do: all is as the files want it.'
  const count = (kind: Step['kind']) => steps.filter((step) => step.kind === kind).length
  return `${count('create')} to create, ${count('change')} to change, ${count('remove')} to remove.`
}
