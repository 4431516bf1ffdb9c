import { isPortFree, SetupError } from '#local'
import type { LocalSettings } from './settings.ts'

/** Public ports, each with its setting. */
const publicPorts = [
  { title: 'Web API', variable: 'WEB_API_PORT' },
  { title: 'authorization', variable: 'AUTH_PORT' },
  { title: 'provider simulator', variable: 'SIMULATOR_PORT' },
  { title: 'demo shop', variable: 'SHOP_PORT' },
  { title: 'console', variable: 'CONSOLE_PORT' },
] as const

/** @throws SetupError unless all ports are different and free */
export async function checkPorts(settings: LocalSettings): Promise<void> {
  for (const [index, { variable }] of publicPorts.entries()) {
    const port = settings[variable]
    const same = publicPorts.slice(0, index).find((other) => settings[other.variable] === port)
    if (same)
      throw new SetupError(`${same.variable} and ${variable} are both ${port}. Set one of them to another port.`)
  }
  for (const { title, variable } of publicPorts) {
    const port = settings[variable]
    if (!(await isPortFree(port)))
      throw new SetupError(`Port ${port} (${title}) is in use. Stop the program that uses it or set ${variable}.`)
  }
}
