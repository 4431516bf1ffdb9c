import { Select, SimpleGrid, Text } from '@mantine/core'
import { useState } from 'react'
import { useRead } from '../../admin/queries.ts'
import type { Client, ProviderSettings, SiteName } from '../../admin/types.ts'
import { Copied } from '../../parts/copied.tsx'
import { Section } from '../../parts/page.tsx'
import { useTexts } from '../../texts/index.tsx'

/** The address an application sends people to, whole, for one of the site's clients. */
export function AuthorizationAddress({ site, settings }: { site: SiteName; settings: ProviderSettings }) {
  const { providers: t } = useTexts()
  const clients = useRead('listClients', site).data?.clients ?? []
  const [client_id, setClient] = useState<string | null>(null)
  const [callback, setCallback] = useState<string | null>(null)
  const client = clients.find((one) => one.client_id === client_id) ?? clients[0]
  const redirect_uri = client?.redirect_uris.find((one) => one === callback) ?? client?.redirect_uris[0]
  const { authorize_uri } = settings

  return (
    <Section title={t.authorize} about={t.authorize_about}>
      {authorize_uri === null || client === undefined || redirect_uri === undefined ? (
        <Text size="sm">{t.authorize_none}</Text>
      ) : (
        <>
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <Select
              label={t.authorize_client}
              allowDeselect={false}
              data={clients.map((one) => ({ value: one.client_id, label: one.name }))}
              value={client.client_id}
              onChange={setClient}
            />
            <Select
              label={t.authorize_callback}
              allowDeselect={false}
              data={client.redirect_uris}
              value={redirect_uri}
              onChange={setCallback}
            />
          </SimpleGrid>
          <Copied label={t.authorize} value={completeAddress(authorize_uri, client, redirect_uri)} />
          <Text size="sm" c="dimmed">
            {t.authorize_state}
          </Text>
        </>
      )}
    </Section>
  )
}

function completeAddress(authorize_uri: string, { client_id, response_types }: Client, redirect_uri: string): string {
  const code = response_types.includes('code')
  const query = new URLSearchParams({
    client_id,
    scope: 'openid profile email',
    response_type: code ? 'code' : 'id_token',
    redirect_uri,
    state: 'STATE',
    ...(code ? {} : { nonce: 'NONCE' }),
  })
  return `${authorize_uri}?${query}`
}
