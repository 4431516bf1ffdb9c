import { expect, test } from 'vitest'
import { z } from 'zod'
import { faults } from '#contracts'
import { buildDeletionStatusUri } from '../../provider-auth/uris.ts'
import { sendRawRequest } from './raw-request.ts'
import { setStage } from './stage.ts'

const stage = setStage()

/** NUL, which Postgres cannot store, and a lone surrogate, which UTF-8 cannot encode; percent-encoded. */
const hostile = ['a%00b', 'a%ED%A0%80b']

const Parameter = z.looseObject({ name: z.string(), in: z.string() })
const Operation = z.looseObject({
  parameters: z.array(z.union([Parameter, z.object({ $ref: z.string() })])).default([]),
  requestBody: z
    .object({
      content: z.record(
        z.string(),
        z.object({ schema: z.looseObject({ properties: z.record(z.string(), z.unknown()) }) }),
      ),
    })
    .optional(),
})
const Document = z.looseObject({ paths: z.record(z.string(), z.object({ get: Operation, post: Operation })) })

test('the Web API rejects both in every parameter: 400/6, in the query and in the form', async () => {
  const { web_api } = stage.serviceStack
  const { paths } = Document.parse(await (await fetch(new URL('/openapi.json', web_api))).json())
  const key = `key=${stage.site.api_key}`
  const { status, code } = faults.invalid_parameter
  const expected = { status, body: { error: { code } } }
  let requestCount = 0
  for (const [path, { get, post }] of Object.entries(paths)) {
    const inQuery = get.parameters.flatMap((one) => ('name' in one && one.in === 'query' ? [one.name] : []))
    const inForm = Object.values(post.requestBody?.content ?? {}).flatMap(({ schema }) =>
      Object.keys(schema.properties),
    )
    for (const text of hostile) {
      for (const name of inQuery)
        for (const field of [name, `${name}[search]`]) {
          requestCount++
          expect(await sendRawRequest(web_api, { path: `${path}?${key}&${field}=${text}` })).toMatchObject(expected)
        }
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      for (const name of inForm)
        expect(
          await sendRawRequest(web_api, { method: 'POST', path, headers, body: `${key}&${name}=${text}` }),
        ).toMatchObject(expected)
    }
  }
  expect(requestCount).toBeGreaterThan(100)
})

test('every URL with path parameters returns 4xx for both, at every position in the path', async () => {
  const { auth, simulator, web_api } = stage.serviceStack
  const { account, site_id, providers } = stage.site
  const own = Object.values(providers)
  const names = { path: () => 'social' } as unknown as Parameters<typeof buildDeletionStatusUri>[0]['names']
  const { login_provider_identifier } = providers.social
  const addresses = [
    `${web_api}/appinfo`,
    ...own.flatMap(({ authorize_uri, provider_callback, webhook_uris }) => [
      authorize_uri,
      provider_callback,
      ...Object.values(webhook_uris),
    ]),
    buildDeletionStatusUri({ auth_url: auth, names }, { provider: 'social', login_provider_identifier }, 'code'),
    ...['associate', 'authenticate', 'authenticate/callback'].map(
      (end) => `${auth}/${account}/${site_id}/search/${end}`,
    ),
    ...['oauth2/token', 'oauth2/userinfo', 'pages.css', 'some'].map((path) => `${auth}/${path}`),
    ...['messaging', 'social', 'device'].map((provider) => `${simulator}/${provider}/authorize`),
    ...['clients', 'clients/some'].map((path) => `${simulator}/${path}`),
  ]
  for (const address of addresses) {
    const { origin, pathname } = new URL(address)
    const steps = pathname.split('/').slice(1)
    for (const text of hostile)
      for (const place of steps.keys())
        for (const method of ['GET', 'POST']) {
          const path = `/${steps.with(place, text).join('/')}`
          const { status } = await fetch(origin + path, { method, redirect: 'manual' })
          expect(status, `${method} ${path}`).toBeGreaterThanOrEqual(400)
          expect(status, `${method} ${path}`).toBeLessThan(500)
        }
  }
})
