import { formatTable } from '../../../toolkit/markdown-table.ts'
import type { RatioSummary } from '../measurement/statistics.ts'
import type { BenchReport, TargetFigure } from './bench-report.ts'

/** A number with three significant digits. */
export function formatNumber(value: number): string {
  if (!Number.isFinite(value)) return '–'
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en-US')
  return value.toFixed(Math.abs(value) >= 10 ? 1 : 2)
}

/** The mean of a ratio with its interval: `0.63 (0.61–0.66)`. */
export function formatRatio({ mean, low, high }: RatioSummary): string {
  return `${formatNumber(mean)} (${formatNumber(low)}–${formatNumber(high)})`
}

/** Whether the value, of a ratio its mean, meets the target. */
export function isMet({ value, limit }: TargetFigure): boolean {
  const number = typeof value === 'number' ? value : value.mean
  return 'at_most' in limit ? number <= limit.at_most : number >= limit.at_least
}

export function formatTargets(targets: readonly TargetFigure[]): string {
  const rows = targets.map((target) => {
    const { what, value, limit, unit = '' } = target
    const goal = 'at_most' in limit ? `≤ ${formatNumber(limit.at_most)}` : `≥ ${formatNumber(limit.at_least)}`
    const measured = typeof value === 'number' ? formatNumber(value) : formatRatio(value)
    return [what, `${measured}${unit}`, `${goal}${unit}`, isMet(target) ? 'met' : '**not met**']
  })
  return formatTable(['Figure', 'measured', 'target', 'result'], rows)
}

/** Markdown of one part, below a heading of the second level. */
export function formatPart({ title, text, tables, warnings }: BenchReport): string {
  return [
    `## ${title}`,
    ...text,
    ...warnings.map((warning) => `**Doubtful:** ${warning}`),
    ...tables.map(({ head, rows }) => formatTable(head, rows)),
  ].join('\n\n')
}
