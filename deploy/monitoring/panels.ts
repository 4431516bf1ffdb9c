import type { Dashboard } from '@grafana/grafana-foundation-sdk/dashboard'
import { z } from 'zod'

const Panel = z.object({
  id: z.number(),
  type: z.string(),
  title: z.string(),
  datasource: z.object({ uid: z.string() }).optional(),
  fieldConfig: z.object({ defaults: z.object({ unit: z.string() }) }).optional(),
  links: z.array(z.object({ title: z.string(), url: z.string() })).default([]),
  targets: z.array(z.object({ expr: z.string(), refId: z.string() })).default([]),
})

export interface ParsedPanel extends z.infer<typeof Panel> {
  readonly expressions: readonly string[]
}

/** Parses the panels and rows of a dashboard. */
export function parsePanels(board: Dashboard): ParsedPanel[] {
  return z
    .array(Panel)
    .parse(board.panels ?? [])
    .map((panel) => ({ ...panel, expressions: panel.targets.map(({ expr }) => expr) }))
}
