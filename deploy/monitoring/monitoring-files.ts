import { buildDashboards } from '../dashboards/index.ts'
import { createMetricsPage } from './metrics-page.ts'

/** Generated files by path: the metrics page and the dashboards. */
export function generateMonitoringFiles(): Readonly<Record<string, string>> {
  const boards = buildDashboards().map((board): [string, string] => [
    `charts/social-login/dashboards/${board.uid}.json`,
    `${JSON.stringify(board, null, 2)}\n`,
  ])
  return { 'docs/operate/metrics.md': createMetricsPage(), ...Object.fromEntries(boards) }
}
