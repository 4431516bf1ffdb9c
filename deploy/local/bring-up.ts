import { isStale } from '../../services/console/web/build.ts'
import { claim } from './claim.ts'
import { openConsole } from './console.ts'
import { seedDemo } from './demo.ts'
import { removeEnvironment, writeEnvironment } from './environment.ts'
import { layGround } from './ground.ts'
import { placesIn } from './places.ts'
import { checkPorts } from './ports.ts'
import type { Step } from './progress.ts'
import { buildConsole, startService } from './run-service.ts'
import { type ServiceDescription, services, shopOf } from './services.ts'
import type { Settings } from './settings.ts'
import type { Supervision } from './supervise.ts'
import { welcome } from './welcome.ts'

interface Deps {
  readonly stack: AsyncDisposableStack
  readonly supervision: Supervision
  readonly step: Step
  readonly interruption: AbortSignal
}

/** Starts everything in order, each thing on the stack as soon as it runs, and says so when all of it is ready. */
export async function bringUp(settings: Settings, { stack, supervision, step, interruption }: Deps): Promise<void> {
  const places = placesIn(settings.LOCAL_DIRECTORY)
  stack.defer(await claim(places))
  removeEnvironment(places)
  await checkPorts(settings)

  const { wiring, secrets } = await layGround(settings, places, { supervision, step, interruption })
  if (isStale()) {
    await step('Console', async (note) => {
      note('its pages')
      await buildConsole({ places, signal: interruption })
    })
  }

  const run = async (row: readonly ServiceDescription[]) => {
    const lookAfter = supervision.row()
    const started = []
    for (const service of row) {
      const child = await startService(service, { wiring, places })
      lookAfter(service.name, child)
      started.push(child)
    }
    await Promise.all(started.map(({ ready }) => ready(interruption)))
  }
  await step('Services', async (note) => {
    const names: string[] = []
    for (const row of services) {
      names.push(...row.map(({ name }) => name))
      note(names.join(', '))
      await run(row)
    }
  })
  const sites = await step('Demo', async (note) => {
    const seeded = await seedDemo(wiring, secrets)
    note(`sites ${seeded.map(({ account, site_id }) => `${account}/${site_id}`).join(' and ')}`)
    return seeded
  })
  await step('Shop', async (note) => {
    note('of site demo/shop')
    await run([shopOf(sites[0])])
  })

  const access = await openConsole(wiring)
  writeEnvironment(places, wiring, { sites, ...access })
  stack.defer(() => removeEnvironment(places))
  process.stdout.write(welcome(wiring, { site: sites[0], ...access }, places))
}
