import { join } from 'node:path'
import { findFreePort } from '#local'
import { type ForeignProduct, sendJson, startProcess } from './product.ts'

const directory = process.env.KEYCLOAK_DIRECTORY
const administrator = { username: 'admin', password: 'a-password-of-a-test' }
const user = { username: 'hanako', password: 'a-password-of-the-user', email: 'hanako@staff.example' }

/** Keycloak with a realm for staff. */
export const keycloak: ForeignProduct = {
  name: 'Keycloak',
  program: directory && join(directory, 'bin/kc.sh'),
  async start({ client_id, client_secret, callback, logout_return }) {
    const [port, managementPort] = [await findFreePort(), await findFreePort()]
    const url = `http://localhost:${port}`
    const running = await startProcess({
      title: 'Keycloak',
      command: keycloak.program ?? '',
      args: () => [
        'start-dev',
        `--http-port=${port}`,
        `--http-management-port=${managementPort}`,
        '--health-enabled=true',
        '--db=dev-mem',
        // Otherwise the issuer is the address of each request.
        `--hostname=${url}`,
      ],
      environment: {
        KC_BOOTSTRAP_ADMIN_USERNAME: administrator.username,
        KC_BOOTSTRAP_ADMIN_PASSWORD: administrator.password,
      },
      readyAt: `http://localhost:${managementPort}/health/ready`,
    })
    const realm = `${url}/admin/realms/staff`
    const administer = async (method: 'POST', address: string, body: object) =>
      sendJson(method, address, body, { authorization: `Bearer ${await issueAdminToken(url)}` })
    await administer('POST', `${url}/admin/realms`, {
      realm: 'staff',
      enabled: true,
      sslRequired: 'none',
      users: [
        {
          username: user.username,
          email: user.email,
          emailVerified: true,
          firstName: 'Hanako',
          lastName: 'Yamada',
          enabled: true,
          credentials: [{ type: 'password', value: user.password }],
        },
      ],
      clients: [
        {
          clientId: client_id,
          secret: client_secret,
          redirectUris: [callback],
          attributes: { 'post.logout.redirect.uris': logout_return },
        },
      ],
    })
    const issuer = `${url}/realms/staff`
    let priority = 100
    return {
      issuer,
      email: user.email,
      answers: { username: user.username, password: user.password },
      protocol: {},
      endsSessions: true,
      async rotateKeys() {
        priority += 100
        await administer('POST', `${realm}/components`, {
          name: `key-${priority}`,
          providerId: 'rsa-generated',
          providerType: 'org.keycloak.keys.KeyProvider',
          config: { priority: [String(priority)], enabled: ['true'], active: ['true'], algorithm: ['RS256'] },
        })
      },
      // It introspects only tokens whose audience has the client, which those of logins do not name.
      async isActive(token) {
        const headers = { authorization: `Bearer ${token}` }
        return (await fetch(`${issuer}/protocol/openid-connect/userinfo`, { headers })).ok
      },
      [Symbol.asyncDispose]: () => running[Symbol.asyncDispose](),
    }
  },
}

async function issueAdminToken(url: string): Promise<string> {
  const response = await fetch(`${url}/realms/master/protocol/openid-connect/token`, {
    method: 'POST',
    body: new URLSearchParams({ ...administrator, grant_type: 'password', client_id: 'admin-cli' }),
  })
  return String(Reflect.get(Object(await response.json()), 'access_token'))
}
