import { Text } from '@mantine/core'
import { useRead } from '../../admin/queries.ts'
import type { SiteReference } from '../../admin/types.ts'

/** Names clients of a site; one that the site does not have (any more) by its ID. */
export function useNameClient(site: SiteReference): (clientId: string) => string {
  const clients = useRead('listClients', site).data?.clients ?? []
  const names = new Map(clients.map(({ client_id, name }) => [client_id, name]))
  return (clientId) => names.get(clientId) ?? clientId
}

/** The name of a client, with its ID as tooltip. */
export function ClientName({ name, clientId }: { name: string; clientId: string }) {
  return (
    <Text size="sm" truncate maw={180} title={clientId}>
      {name}
    </Text>
  )
}
