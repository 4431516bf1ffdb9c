import { globSync, readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { z } from 'zod'

const RuleFile = z.object({
  groups: z.array(
    z.object({
      rules: z.array(
        z.union([
          z.object({
            alert: z.string(),
            expr: z.string(),
            labels: z.object({ severity: z.enum(['critical', 'warning', 'info']) }),
            annotations: z.object({ summary: z.string(), runbook_url: z.string(), dashboard: z.string() }),
          }),
          z.object({ record: z.string(), expr: z.string() }),
        ]),
      ),
    }),
  ),
})

type Rule = z.infer<typeof RuleFile>['groups'][number]['rules'][number]
export type AlertRule = Extract<Rule, { alert: string }>

/** Rules of the chart, as their files have them. */
export const rules: readonly Rule[] = globSync('charts/social-login/rules/*.yaml', {
  cwd: new URL('../..', import.meta.url).pathname,
})
  .toSorted()
  .flatMap((file) => RuleFile.parse(parse(readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8'))).groups)
  .flatMap((group) => group.rules)

/** By name. */
export const alerts: readonly AlertRule[] = rules
  .filter((rule) => 'alert' in rule)
  .toSorted((a, b) => (a.alert < b.alert ? -1 : 1))
