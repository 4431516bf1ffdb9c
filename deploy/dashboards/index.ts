import type { Dashboard } from '@grafana/grafana-foundation-sdk/dashboard'
import { authorizationDashboard } from './authorization.ts'
import { buildDashboard } from './build.ts'
import { busDashboard } from './bus.ts'
import { consoleDashboard } from './console.ts'
import type { DashboardDefinition } from './dashboard.ts'
import { gatewayDashboard } from './gateway.ts'
import { loadDashboard } from './load.ts'
import { overviewDashboard } from './overview.ts'
import { postgresDashboard } from './postgres.ts'
import { redisDashboard } from './redis.ts'
import { runtimeDashboard } from './runtime.ts'
import { usersDashboard } from './users.ts'

export const dashboardList: readonly DashboardDefinition[] = [
  overviewDashboard,
  gatewayDashboard,
  authorizationDashboard,
  usersDashboard,
  consoleDashboard,
  busDashboard,
  postgresDashboard,
  redisDashboard,
  runtimeDashboard,
  loadDashboard,
]

/** The dashboards, as Grafana reads them. */
export function buildDashboards(): Dashboard[] {
  return dashboardList.map(buildDashboard)
}
