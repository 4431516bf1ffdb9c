import { type Context, readForm } from '#http'
import { readName } from '../../names.ts'
import { provider } from './authorize.ts'
import { type Notice, removeApplication } from './removal.ts'
import { authorizationKey, isCurrent, type Social } from './state.ts'

/** `GET /settings`: where a person sees and removes the applications they let in. */
export function showSettings(ctx: Context, { render }: Social): void {
  render.page(ctx, 200, 'applications', { provider })
}

/** `POST /settings`: the applications of the person `user`, without the one of `remove` if there is one. */
export async function changeSettings(ctx: Context, social: Social): Promise<void> {
  const { values } = await readForm(ctx.req)
  const typed = values.get('user') ?? ''
  const read = readName(typed)
  if ('problem' in read) {
    social.render.page(ctx, 400, 'applications', { provider, typed, problem: read.problem })
    return
  }
  const { name } = read
  const client_id = values.get('remove')
  const removed = client_id === undefined ? undefined : await remove({ client_id, name }, social)
  const applications = [...social.authorizations.values()]
    .filter((authorization) => authorization.name === name && isCurrent(authorization, social))
    .map((authorization) => ({ client_id: authorization.client_id, name: applicationName(authorization, social) }))
  social.render.page(ctx, 200, 'applications', { provider, user: name, applications, removed })
}

async function remove(
  who: { client_id: string; name: string },
  social: Social,
): Promise<{ name: string; notices: readonly Notice[] } | undefined> {
  const authorization = social.authorizations.get(authorizationKey(who))
  if (authorization === undefined) return undefined
  return { name: applicationName(who, social), notices: await removeApplication(authorization, social) }
}

function applicationName({ client_id }: { client_id: string }, { clients }: Social): string {
  return clients.find('social', client_id)?.name ?? client_id
}
