import { isStale } from '../../services/console/web/build.ts'
import { createConsoleAccess } from './console-access.ts'
import { seedDemo } from './demo.ts'
import { removeEnvironmentFile, writeEnvironmentFile } from './environment-file.ts'
import { startInfrastructure } from './infrastructure.ts'
import { acquireLock } from './lock.ts'
import { createPaths } from './paths.ts'
import { checkPorts } from './ports.ts'
import type { Step } from './progress.ts'
import { startRestartingService } from './restarting-service.ts'
import { buildConsole, startService } from './run-service.ts'
import { demoShop, type ServiceDescription, services } from './services.ts'
import type { LocalSettings } from './settings.ts'
import type { Supervision } from './supervise.ts'
import { formatWelcome } from './welcome.ts'

interface Deps {
  readonly stack: AsyncDisposableStack
  readonly supervision: Supervision
  readonly step: Step
  readonly interruption: AbortSignal
  /** Whether services restart when their sources change. */
  readonly watch: boolean
  /** Name of the service to debug. */
  readonly inspect: string | undefined
}

/** Starts everything in order, puts it on the stack, and prints the addresses when all services are ready. */
export async function startAll(
  settings: LocalSettings,
  { stack, supervision, step, interruption, watch, inspect }: Deps,
): Promise<void> {
  const paths = createPaths(settings.LOCAL_DIRECTORY)
  stack.defer(await acquireLock(paths))
  removeEnvironmentFile(paths)
  await checkPorts(settings)

  const { wiring, secrets } = await startInfrastructure(settings, paths, { supervision, step, interruption })
  if (isStale()) {
    await step('Console', async (note) => {
      note('its pages')
      await buildConsole({ paths, signal: interruption })
    })
  }

  const start = watch ? startRestartingService : startService
  const startGroup = async (group: readonly ServiceDescription[]) => {
    const supervise = supervision.group()
    const started = []
    for (const service of group) {
      const child = await start(service, { wiring, paths, inspect, interruption })
      supervise(service.name, child)
      started.push(child)
    }
    await Promise.all(started.map(({ ready }) => ready(interruption)))
  }
  await step('Services', async (note) => {
    const names: string[] = []
    for (const group of services) {
      names.push(...group.map(({ name }) => name))
      note(names.join(', '))
      await startGroup(group)
    }
  })
  const sites = await step('Demo', async (note) => {
    const seeded = await seedDemo(wiring, secrets)
    note(`sites ${seeded.map(({ account, site_id }) => `${account}/${site_id}`).join(' and ')}`)
    return seeded
  })
  await step('Shop', async (note) => {
    note('of site demo/shop')
    await startGroup([demoShop(sites[0])])
  })

  const access = await createConsoleAccess(wiring)
  writeEnvironmentFile(paths, wiring, { sites, ...access })
  stack.defer(() => removeEnvironmentFile(paths))
  process.stdout.write(formatWelcome(wiring, { site: sites[0], ...access }, paths))
}
