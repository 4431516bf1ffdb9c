import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findFreePort } from '#local'
import { type ForeignProduct, startProcess } from './product.ts'

/** Dex with a connector that knows one end user. Its own passwords cannot be refreshed with a storage for tests: it waits for itself. */
export const dex: ForeignProduct = {
  name: 'Dex',
  program: process.env.DEX_PROGRAM,
  async start({ client_id, client_secret, callback }) {
    const port = await findFreePort()
    const issuer = `http://localhost:${port}/dex`
    // YAML contains JSON.
    const configuration = {
      issuer,
      storage: { type: 'memory' },
      web: { http: `127.0.0.1:${port}` },
      oauth2: { skipApprovalScreen: true },
      connectors: [{ type: 'mockCallback', id: 'mock', name: 'Mock' }],
      staticClients: [{ id: client_id, secret: client_secret, redirectURIs: [callback], name: 'Test' }],
    }
    const running = await startProcess({
      title: 'Dex',
      command: dex.program ?? '',
      args: (directory) => ['serve', join(directory, 'config.yaml')],
      readyAt: `${issuer}/healthz`,
      prepare: (directory) => writeFile(join(directory, 'config.yaml'), JSON.stringify(configuration)),
    })
    return {
      issuer,
      // Of the connector.
      email: 'kilgore@kilgore.trout',
      answers: {},
      protocol: { scopes: { always: ['openid', 'offline_access'], address: [], phone: [] } },
      endsSessions: false,
      [Symbol.asyncDispose]: () => running[Symbol.asyncDispose](),
    }
  },
}
