import { z } from 'zod'

const Values = z.record(z.string(), z.number())
const Summary = z.object({
  root_group: z.object({ checks: z.array(z.object({ name: z.string(), fails: z.int() })) }),
  metrics: z.record(
    z.string(),
    z.object({ values: Values, thresholds: z.record(z.string(), z.object({ ok: z.boolean() })).optional() }),
  ),
})

/** The summary of k6 at the end of a script: metrics by name, those for some tags as `name{tag:value}`. Times are in milliseconds. */
export type Summary = z.infer<typeof Summary>

export const readSummary = (text: string): Summary => Summary.parse(JSON.parse(text))

/** A metric's value; 0 for a counter without counts, which k6 omits. */
export function readMetric({ metrics }: Summary, metric: string, value: string): number {
  return metrics[metric]?.values[value] ?? 0
}

/** Failed checks and crossed thresholds, as readable text. */
export function findCrossedThresholds({ metrics, root_group }: Summary): string[] {
  const checks = root_group.checks.filter(({ fails }) => fails > 0).map(({ name, fails }) => `${name} (${fails} times)`)
  const thresholds = Object.entries(metrics).flatMap(([metric, { thresholds = {} }]) =>
    Object.entries(thresholds)
      .filter(([, { ok }]) => !ok)
      .map(([rule]) => `${metric}: ${rule}`),
  )
  return [...checks, ...thresholds]
}
