import { findFreePort } from '#local'

/** Settings with a free port for each public port, so that several stacks can run on this machine. */
export async function findPublicPorts(): Promise<Record<string, string>> {
  const ports: Record<string, string> = {}
  for (const name of ['WEB_API_PORT', 'AUTH_PORT', 'SIMULATOR_PORT', 'SHOP_PORT', 'CONSOLE_PORT'])
    ports[name] = String(await findFreePort())
  return ports
}
