import type { Dashboard } from '@grafana/grafana-foundation-sdk/dashboard'
import { authorization } from './authorization.ts'
import type { Board } from './board.ts'
import { build } from './build.ts'
import { bus } from './bus.ts'
import { managementConsole } from './console.ts'
import { gateway } from './gateway.ts'
import { load } from './load.ts'
import { overview } from './overview.ts'
import { people } from './people.ts'
import { postgres } from './postgres.ts'
import { redis } from './redis.ts'
import { runtime } from './runtime.ts'

export const boards: readonly Board[] = [
  overview,
  gateway,
  authorization,
  people,
  managementConsole,
  bus,
  postgres,
  redis,
  runtime,
  load,
]

/** The boards, as Grafana reads them. */
export function dashboards(): Dashboard[] {
  return boards.map(build)
}
