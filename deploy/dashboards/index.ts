import type { Dashboard } from '@grafana/grafana-foundation-sdk/dashboard'
import { authorization } from './authorization.ts'
import { build } from './board.ts'
import { bus } from './bus.ts'
import { gateway } from './gateway.ts'
import { overview } from './overview.ts'
import { people } from './people.ts'
import { postgres } from './postgres.ts'
import { redis } from './redis.ts'
import { runtime } from './runtime.ts'

/** The boards, as Grafana reads them. */
export function dashboards(): Dashboard[] {
  return [overview, gateway, authorization, people, bus, postgres, redis, runtime].map(build)
}
