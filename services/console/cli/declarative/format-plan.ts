import type { SecretReference } from '../domain/secret-reference.ts'
import type { Change, Plan, PlanStep } from '../domain/step.ts'
import { formatCell } from '../table.ts'

const signs = { create: '+', change: '~', remove: '-' } as const

/** Formats a plan: each resource with its changed fields, without secrets. */
export function formatPlan({ steps, notes }: Plan): string {
  const parts = steps.map((step) =>
    [formatHeading(step), ...formatChanges(step).map((line) => `    ${line}`)].join('\n'),
  )
  const remarks = notes.map((note) => `  ${note}`)
  return [...parts, ...(remarks.length > 0 ? [['Note:', ...remarks].join('\n')] : []), formatSummary(steps), ''].join(
    '\n',
  )
}

/** Formats one line, for example `~ site demo/shop`. */
export function formatHeading({ kind, subject }: PlanStep): string {
  return `${signs[kind]} ${formatCell(subject)}`
}

function formatChanges({ kind, changes, secrets = [], returns_secret: tellsSecret }: PlanStep): string[] {
  return [
    ...changes.flatMap((change) =>
      kind === 'change' ? formatChange(change) : [`${change.field}: ${formatValue(change.after ?? change.before)}`],
    ),
    ...secrets.map(
      ({ path, reference, why }) => `${path.join('.')}: sent, from ${formatReference(reference)} (${why})`,
    ),
    ...(tellsSecret ? ['its secret is shown only once; see --secrets-out'] : []),
  ]
}

/** For a list, formats added and removed items; for other values, before and after. */
function formatChange({ field, before, after }: Change): string[] {
  if (!Array.isArray(before) || !Array.isArray(after))
    return [`${field}: ${formatValue(before)} → ${formatValue(after)}`]
  const removed = before.filter((item) => !after.includes(item)).map((item) => `${field}: - ${formatValue(item)}`)
  const added = after.filter((item) => !before.includes(item)).map((item) => `${field}: + ${formatValue(item)}`)
  return [...removed, ...added]
}

function formatValue(value: unknown): string {
  return value === '' ? '""' : formatCell(value)
}

function formatReference(reference: SecretReference): string {
  return 'from_env' in reference ? `the variable ${reference.from_env}` : `the file ${reference.path}`
}

function formatSummary(steps: readonly PlanStep[]): string {
  if (steps.length === 0) return 'No changes. The console matches the files.'
  const count = (kind: PlanStep['kind']) => steps.filter((step) => step.kind === kind).length
  return `${count('create')} to create, ${count('change')} to change, ${count('remove')} to remove.`
}
