import { once } from 'node:events'
import Router from '@koa/router'
import { exportJWK, generateKeyPair } from 'jose'
import Provider, { type Configuration } from 'oidc-provider'
import pg from 'pg'
import getRawBody from 'raw-body'
import { z } from 'zod'
import { createPayloadTable, createPostgresAdapter } from './postgres-adapter.ts'
import { reportServing } from './serving.ts'

/**
 * A peer: oidc-provider with a login form and accounts in Postgres. Its state is in Postgres or, as by default, in memory. It knows
 * end users itself, so that its login lacks the exchange with a login provider.
 */
const Environment = z.object({
  PORT: z.string(),
  PEER_DATABASE_URL: z.url(),
  STATE: z.enum(['postgres', 'memory']),
  CLIENT: z.string(),
})
const { PORT, PEER_DATABASE_URL, STATE, CLIENT } = Environment.parse(process.env)
const { client_id, client_secret, redirect_uri } = z
  .object({ client_id: z.string(), client_secret: z.string(), redirect_uri: z.url() })
  .parse(JSON.parse(CLIENT))

const pool = new pg.Pool({ connectionString: PEER_DATABASE_URL })
await pool.query(
  'create table if not exists accounts (account text primary key, name text, email text, logins integer)',
)
if (STATE === 'postgres') await createPayloadTable(pool)

const { privateKey } = await generateKeyPair('RS256', { extractable: true })
const configuration: Configuration = {
  ...(STATE === 'postgres' && { adapter: createPostgresAdapter(pool) }),
  clients: [{ client_id, client_secret, redirect_uris: [redirect_uri] }],
  jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig', kid: 'bench' }] },
  cookies: { keys: ['bench'] },
  claims: { openid: ['sub'], profile: ['name'], email: ['email', 'email_verified'] },
  features: { devInteractions: { enabled: false } },
  interactions: { url: (_, { uid }) => `/interaction/${uid}` },
  pkce: { required: () => false },
  async findAccount(_, accountId) {
    const { rows } = await pool.query<{ name: string; email: string }>({
      name: 'find-account',
      text: 'select name, email from accounts where account = $1',
      values: [accountId],
    })
    const [account] = rows
    return account && { accountId, claims: () => ({ sub: accountId, ...account, email_verified: true }) }
  },
  // The application is the provider's own, so that nothing asks for consent.
  async loadExistingGrant({ oidc: { client, session } }) {
    const clientId = client?.clientId
    const accountId = session?.accountId
    if (clientId === undefined || accountId === undefined) return undefined
    const grantId = session?.grantIdFor(clientId)
    if (grantId) return provider.Grant.find(grantId)
    const grant = new provider.Grant({ accountId, clientId })
    grant.addOIDCScope('openid profile email')
    await grant.save()
    return grant
  },
}
const provider = new Provider(`http://localhost:${PORT}`, configuration)

const router = new Router()
router.get('/interaction/:uid', async (ctx) => {
  const { uid } = await provider.interactionDetails(ctx.req, ctx.res)
  ctx.type = 'html'
  ctx.body = `<!doctype html><title>Log in</title><form method="post" action="/interaction/${uid}/login"><input name="user"></form>`
})
router.post('/interaction/:uid/login', async (ctx) => {
  const form = new URLSearchParams(await getRawBody(ctx.req, { encoding: 'utf8', limit: '10kb' }))
  const accountId = form.get('user') ?? ''
  await pool.query({
    name: 'record-login',
    text: `insert into accounts values ($1, $1, $1 || '@example.com', 1)
      on conflict (account) do update set logins = accounts.logins + 1`,
    values: [accountId],
  })
  const result = { login: { accountId } }
  ctx.redirect(await provider.interactionResult(ctx.req, ctx.res, result, { mergeWithLastSubmission: false }))
  ctx.status = 303
})
provider.use(router.routes())

const server = provider.listen(Number(PORT), '127.0.0.1')
await once(server, 'listening')
reportServing(Number(PORT))
