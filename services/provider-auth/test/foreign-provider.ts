import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { exportJWK, generateKeyPair } from 'jose'
import Provider, { type Configuration } from 'oidc-provider'
import { findFreePort } from '#local'

/** A login provider that others wrote, at an address of this machine. */
export interface ForeignProvider extends AsyncDisposable {
  readonly url: string
  /** Replaces its settings, and its keys. */
  readonly restart: (configuration: Configuration) => Promise<void>
}

/** The end user who is signed in at it. */
export const foreignUser = {
  sub: 'user-1',
  name: 'Hanako Yamada',
  given_name: 'Hanako',
  family_name: 'Yamada',
  preferred_username: 'hana',
  picture: 'https://p.example/1.png',
  gender: 'female',
  birthdate: '1990-01-01',
  email: 'hanako@example.com',
  email_verified: true,
  phone_number: '+819011112222',
  address: { postal_code: '1028282', region: '東京都', locality: '千代田区', street_address: '紀尾井町1-3' },
}

/** Starts node-oidc-provider, which signs in everyone as `foreignUser` without asking. */
export async function startForeignProvider(configuration: Configuration): Promise<ForeignProvider> {
  const port = await findFreePort()
  const url = `http://localhost:${port}`
  let current: Provider
  const server = createServer((request, response) => {
    if (request.url?.startsWith('/interaction/')) {
      void current.interactionFinished(request, response, { login: { accountId: foreignUser.sub } })
      return
    }
    const handle: RequestListener = current.callback()
    handle(request, response)
  }).listen(port)
  const restart = async (changed: Configuration) => {
    const { privateKey } = await generateKeyPair('RS256', { extractable: true })
    const jwk = { ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig', kid: crypto.randomUUID() }
    current = createProvider(url, { jwks: { keys: [jwk] }, ...changed })
  }
  await Promise.all([once(server, 'listening'), restart(configuration)])
  return {
    url,
    restart,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function createProvider(url: string, configuration: Configuration): Provider {
  const provider: Provider = new Provider(url, {
    cookies: { keys: ['test'] },
    claims: {
      openid: ['sub'],
      profile: ['name', 'given_name', 'family_name', 'preferred_username', 'picture', 'gender', 'birthdate'],
      email: ['email', 'email_verified'],
      phone: ['phone_number'],
      address: ['address'],
    },
    scopes: ['openid', 'profile', 'email', 'phone', 'address', 'offline_access'],
    features: { devInteractions: { enabled: false }, revocation: { enabled: true } },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    issueRefreshToken: () => Promise.resolve(true),
    rotateRefreshToken: false,
    findAccount: (_, accountId) => ({
      accountId,
      claims: () => Promise.resolve({ ...foreignUser, sub: accountId }),
    }),
    // Nothing asks for consent.
    async loadExistingGrant({ oidc: { client, session } }) {
      const [clientId, accountId] = [client?.clientId, session?.accountId]
      if (clientId === undefined || accountId === undefined) return undefined
      const grant = new provider.Grant({ accountId, clientId })
      grant.addOIDCScope('openid profile email phone address offline_access')
      await grant.save()
      return grant
    },
    ...configuration,
  })
  return provider
}
