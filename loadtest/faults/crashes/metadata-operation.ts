import { z } from 'zod'
import { logIn, openTestBrowser } from '../../../services/provider-auth/test/browser.ts'
import type { Answer } from '../client.ts'
import type { FaultSite } from '../site.ts'
import type { FaultOperation } from './fault-case.ts'
import { authorizeUrl, readLoginResult, toFormRequest } from './login-operations.ts'

const Tokens = z.object({ access_token: z.string() })

/** A patch of `user_metadata` by an application, with the access token of the user. The application sends it again after a fault. */
export const metadataOperation: FaultOperation = {
  name: 'change_user_metadata',
  participants: ['provider-auth', 'identity'],
  async prepare(site, tag) {
    await allowScope(site)
    const accessToken = await logInToApplication(site, tag)
    const send = async (): Promise<Answer | undefined> => {
      const response = await fetch(`${site.auth}/oauth2/user-metadata`, {
        method: 'PATCH',
        headers: {
          authorization: `Bearer ${accessToken}`,
          'content-type': 'application/merge-patch+json',
          connection: 'close',
        },
        body: '{"language":"ja"}',
      })
      const body = `${response.headers.get('etag')} ${await response.text()}`
      return response.status === 200 ? { status: 200, body } : undefined
    }
    const request = toFormRequest(send, site, tag)
    return { ...request, repeat: request.attempt }
  },
}

async function logInToApplication(site: FaultSite, user: string): Promise<string> {
  const address = new URL(authorizeUrl(site, 'code'))
  address.searchParams.set('scope', 'openid user_metadata:write')
  const result = readLoginResult(await logIn(openTestBrowser(), address.href, { user }))
  const [{ client_id, client_secret, redirect_uris }] = site.demo.clients
  const code = result.get('code') ?? ''
  const response = await fetch(`${site.auth}/oauth2/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${client_id}:${client_secret}`)}`, connection: 'close' },
    body: new URLSearchParams({ grant_type: 'authorization_code', code, redirect_uri: redirect_uris[0] ?? '' }),
  })
  return Tokens.parse(await response.json()).access_token
}

async function allowScope({ admin, demo }: FaultSite): Promise<void> {
  const path = `/sites/${demo.site_id}/clients/${demo.clients[0].client_id}`
  const { body, etag } = await admin.send('GET', path)
  if (body.includes('"user_metadata_write":true')) return
  const { status } = await admin.send('PATCH', path, { user_metadata_write: true }, { 'if-match': etag })
  if (status !== 200) throw new Error(`${path} returned ${status}.`)
}
