import type { DataRecipient } from '#contracts'
import type { Deps } from '../deps.ts'
import { listRecipients } from '../store/data-recipients.ts'

/** Who received data of the user with these links, with the names of the clients as they are now. */
export async function listNamedRecipients(
  links: { readonly site: number; readonly link_ids: readonly string[] },
  { reader, siteSettings }: Pick<Deps, 'reader' | 'siteSettings'>,
): Promise<DataRecipient[]> {
  const recipients = await listRecipients(reader, links)
  return Promise.all(
    recipients.map(async ({ client_id, ...receipt }) => {
      const client = client_id === null ? undefined : await siteSettings.findClient(client_id)
      return { client_id, name: client?.site === links.site ? client.name : null, ...receipt }
    }),
  )
}
