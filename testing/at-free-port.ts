import { findFreePort } from '#local'

const mostAttempts = 5

/**
 * Starts a server that must know its address before it listens. If another process takes the port meanwhile, tries another
 * port.
 */
export async function atFreePort<T>(
  launch: (port: number, url: string) => Promise<T>,
  host = 'localhost',
): Promise<{ launched: T; url: string }> {
  for (let attempt = 1; ; attempt++) {
    const port = await findFreePort()
    const url = `http://${host}:${port}`
    try {
      return { launched: await launch(port, url), url }
    } catch (error) {
      const isTaken = error instanceof Error && Reflect.get(error, 'code') === 'EADDRINUSE'
      if (!isTaken || attempt === mostAttempts) throw error
    }
  }
}
