import { Alert, Badge, Card, Group, SimpleGrid, Text } from '@mantine/core'
import { IconClockExclamation } from '@tabler/icons-react'
import { useRead } from '../../admin/queries.ts'
import type { SiteName } from '../../admin/types.ts'
import { Copied } from '../../parts/copied.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { useFormat } from '../../texts/format.ts'
import { useTexts } from '../../texts/index.tsx'
import { NextSteps } from './next-steps.tsx'

const warned_ms = 30 * 86_400_000

/** A site at a glance: what is still to be done, and what needs looking after. */
export function Overview({ site }: { site: SiteName }) {
  const { overview: t, common } = useTexts()
  const query = useRead('readSite', site)
  return (
    <Loaded of={query}>
      {({ name, kind }) => (
        <Page
          title={name}
          about={t.about}
          actions={
            <Badge size="lg" variant="light">
              {common.kinds[kind]}
            </Badge>
          }
        >
          <Expiring site={site} />
          <NextSteps site={site} />
          <Section title={t.at_a_glance}>
            <Figures site={site} />
          </Section>
          <Section title={t.site_id} about={t.web_api_asks}>
            <SimpleGrid cols={{ base: 1, sm: 2 }}>
              <Copied label="account" value={site.account} />
              <Copied label="site_id" value={site.site_id} />
            </SimpleGrid>
          </Section>
        </Page>
      )}
    </Loaded>
  )
}

/** Secrets of providers that end soon, or have ended. */
function Expiring({ site }: { site: SiteName }) {
  const { overview: t, common } = useTexts()
  const format = useFormat()
  const providers = useRead('listProviderSettings', site).data?.providers ?? []
  return providers.map(({ provider, client_secret_expires_at: at }) => {
    if (at === null || Date.parse(at) - Date.now() > warned_ms) return null
    return (
      <Alert key={provider} color="yellow" icon={<IconClockExclamation />}>
        {t.expiring(common.providers[provider], format.relative(at))}
      </Alert>
    )
  })
}

function Figures({ site }: { site: SiteName }) {
  const { overview: t } = useTexts()
  const users = useRead('listUsers', { ...site, limit: 1 }).data?.total
  const keys = useRead('listApiKeys', site).data?.keys
  const clients = useRead('listClients', site).data?.clients.length
  const providers = useRead('listProviderSettings', site).data?.providers
  const figures = [
    { says: t.users, value: users },
    { says: t.clients, value: clients },
    { says: t.live_providers, value: providers?.filter((one) => one.enabled && one.missing.length === 0).length },
    { says: t.live_keys, value: keys?.filter(({ revoked_at }) => revoked_at === null).length },
    { says: t.calls_last_hour, value: keys?.reduce((sum, key) => sum + key.calls_last_hour, 0) },
  ]
  return (
    <SimpleGrid cols={{ base: 2, sm: 3, lg: 5 }}>
      {figures.map((figure) => (
        <Figure key={figure.says} {...figure} />
      ))}
    </SimpleGrid>
  )
}

function Figure({ says, value }: { says: string; value: number | undefined }) {
  const format = useFormat()
  return (
    <Card withBorder padding="md">
      <Group justify="space-between" h="100%" align="flex-start">
        <Text size="sm" c="dimmed">
          {says}
        </Text>
        <Text size="xl" fw={600} w="100%">
          {value === undefined ? '–' : format.number(value)}
        </Text>
      </Group>
    </Card>
  )
}
