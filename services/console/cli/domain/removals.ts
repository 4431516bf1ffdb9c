import type { Plan, PlanOptions, PlanStep } from './step.ts'

/** Adds the removal of resources that are not in the files, or without `--prune` a note for each of them. */
export function withRemovals(steps: readonly PlanStep[], removals: readonly PlanStep[], { prune }: PlanOptions): Plan {
  if (prune) return { steps: [...steps, ...removals], notes: [] }
  const notes = removals.map(({ procedure, subject }) => {
    return `${subject} is not in the files; --prune ${procedure === 'revokeApiKey' ? 'revokes' : 'removes'} it.`
  })
  return { steps, notes }
}
