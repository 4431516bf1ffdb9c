import { dashboards } from '../dashboards/index.ts'
import { metricsPage } from './metrics-page.ts'

/** Files that are made from what others say, by path: the page of metrics and the dashboards. */
export function generated(): Readonly<Record<string, string>> {
  const boards = dashboards().map((board): [string, string] => [
    `charts/social-login/dashboards/${board.uid}.json`,
    `${JSON.stringify(board, null, 2)}\n`,
  ])
  return { 'docs/operations/metrics.md': metricsPage(), ...Object.fromEntries(boards) }
}
