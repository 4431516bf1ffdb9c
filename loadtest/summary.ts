import { z } from 'zod'

const Values = z.record(z.string(), z.number())
const Summary = z.object({
  metrics: z.record(
    z.string(),
    z.object({ values: Values, thresholds: z.record(z.string(), z.object({ ok: z.boolean() })).optional() }),
  ),
})

/** What k6 tells at the end of a script: metrics by name, those for some tags as `name{tag:value}`. Times are in milliseconds. */
export type Summary = z.infer<typeof Summary>

export const readSummary = (text: string): Summary => Summary.parse(JSON.parse(text))

/** A metric's value; 0 for a counter nobody ever counted, which k6 leaves out. */
export function readMetric({ metrics }: Summary, metric: string, value: string): number {
  return metrics[metric]?.values[value] ?? 0
}

/** Thresholds that were crossed, as `metric: rule`. */
export function crossedIn({ metrics }: Summary): string[] {
  return Object.entries(metrics).flatMap(([metric, { thresholds = {} }]) =>
    Object.entries(thresholds)
      .filter(([, { ok }]) => !ok)
      .map(([rule]) => `${metric}: ${rule} does not hold`),
  )
}
