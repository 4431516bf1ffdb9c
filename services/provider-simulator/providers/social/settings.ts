import { type Context, readForm } from '#http'
import { identify, type OAuthServer } from '../../oauth/server.ts'
import { parseName } from '../../user-name.ts'
import { type RemovalDelivery, removeApplication } from './application-removal.ts'

/** `GET /settings`: the page on which end users see and remove the applications that they use. */
export function showSettings(ctx: Context, server: OAuthServer): void {
  renderSettings(ctx, 200, {}, server)
}

/** `POST /settings`: lists the applications of the end user `user`, after removing the one in `remove`, if any. */
export async function changeSettings(ctx: Context, server: OAuthServer): Promise<void> {
  const { values } = await readForm(ctx.req)
  const typed = values.get('user') ?? ''
  const read = parseName(typed)
  if ('problem' in read) return renderSettings(ctx, 400, { typed, problem: read.problem }, server)
  const { name: user } = read
  const removed = await removeForUser(values.get('remove'), user, server)
  const applications = server.grants.consents
    .list()
    .filter(({ name }) => name === user)
    .map((consent) => identify(consent, server).client)
    .map(({ client_id, name = client_id }) => ({ client_id, name }))
  renderSettings(ctx, 200, { user, applications, removed }, server)
}

function renderSettings(ctx: Context, status: number, data: object, { dialect, render }: OAuthServer): void {
  const { name, title } = dialect
  render.page(ctx, status, 'applications', { provider: { name, title }, ...data })
}

async function removeForUser(
  clientId: string | undefined,
  user: string,
  server: OAuthServer,
): Promise<{ name: string; deliveries: readonly RemovalDelivery[] } | undefined> {
  const consent = clientId === undefined ? undefined : server.grants.consents.find(clientId, user)
  if (consent === undefined) return undefined
  const { client } = identify(consent, server)
  return { name: client.name ?? client.client_id, deliveries: await removeApplication(consent, server) }
}
