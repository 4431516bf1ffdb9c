import { Select, SimpleGrid, Text } from '@mantine/core'
import { useState } from 'react'
import { useRead } from '../../admin/queries.ts'
import type { ProviderSettings, SiteName } from '../../admin/types.ts'
import { Copied } from '../../parts/copied.tsx'
import { Section } from '../../parts/page.tsx'
import { useTexts } from '../../texts/index.tsx'
import { authorizationAddress, placeholders } from './authorization.ts'
import { TestLogin } from './test-login.tsx'

/** The address an application sends people to, whole, for one of the site's clients; and a login by it. */
export function AuthorizationAddress({ site, settings }: { site: SiteName; settings: ProviderSettings }) {
  const { providers: t } = useTexts()
  const clients = useRead('listClients', site).data?.clients ?? []
  const [client_id, setClient] = useState<string | null>(null)
  const [callback, setCallback] = useState<string | null>(null)
  const client = clients.find((one) => one.client_id === client_id) ?? clients[0]
  const redirect_uri = client?.redirect_uris.find((one) => one === callback) ?? client?.redirect_uris[0]
  const { authorize_uri, provider } = settings
  if (authorize_uri === null || client === undefined || redirect_uri === undefined) {
    return (
      <Section title={t.authorize} about={t.authorize_about}>
        <Text size="sm">{t.authorize_none}</Text>
      </Section>
    )
  }

  const asked = { authorize_uri, client, redirect_uri }
  return (
    <>
      <Section title={t.authorize} about={t.authorize_about}>
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
        <Copied label={t.authorize} value={authorizationAddress(asked, placeholders)} />
        <Text size="sm" c="dimmed">
          {t.authorize_fresh}
        </Text>
      </Section>
      <TestLogin site={site} provider={provider} asked={asked} />
    </>
  )
}
