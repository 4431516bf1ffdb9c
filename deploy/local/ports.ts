import { isFree, LocalFailure } from '#local'
import type { Settings } from './settings.ts'

/** The faces that people and scripts use, on ports they know. */
const faces = [
  { title: 'Web API', variable: 'WEB_API_PORT' },
  { title: 'authorization', variable: 'AUTH_PORT' },
  { title: 'provider simulator', variable: 'SIMULATOR_PORT' },
  { title: 'demo shop', variable: 'SHOP_PORT' },
  { title: 'console', variable: 'CONSOLE_PORT' },
] as const

/** Throws a sentence unless the ports are all different and free. */
export async function checkPorts(settings: Settings): Promise<void> {
  for (const [index, { variable }] of faces.entries()) {
    const port = settings[variable]
    const same = faces.slice(0, index).find((other) => settings[other.variable] === port)
    if (same)
      throw new LocalFailure(`${same.variable} and ${variable} are both ${port}. Set one of them to another port.`)
  }
  for (const { title, variable } of faces) {
    const port = settings[variable]
    if (!(await isFree(port)))
      throw new LocalFailure(`Port ${port} (${title}) is in use. Stop the program that uses it or set ${variable}.`)
  }
}
