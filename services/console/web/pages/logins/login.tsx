import { Alert, Anchor, Badge, Group, SimpleGrid, Text } from '@mantine/core'
import { Link } from 'wouter'
import { useRead } from '../../admin/queries.ts'
import type { LoginDetails, SiteReference } from '../../admin/types.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { paths } from '../../shell/paths.ts'
import { useFormat } from '../../texts/format.ts'
import { useTexts } from '../../texts/index.tsx'
import { LoginFacts } from './login-facts.tsx'
import { toQuery } from './login-groups.tsx'
import { ResultBadge, resultColors, useExplain } from './login-result.tsx'
import { LoginTimeline } from './login-timeline.tsx'

const refreshMs = 2_000

/** A login: why it ended, its steps, and what is known about it. */
export function LoginPage({ site, login_id }: { site: SiteReference; login_id: string }) {
  const { logins: t } = useTexts('logins')
  const format = useFormat()
  const query = useRead(
    'readSiteLogin',
    { ...site, login_id },
    { intervalMs: (login) => (login?.result === 'waiting' ? refreshMs : false) },
  )
  const { data } = query
  return (
    <Page
      title={data === undefined ? t.one : t.at_time({ at: format.second(data.at) })}
      actions={
        data && (
          <Group gap="xs">
            {data.is_test && <Badge variant="outline">{t.test}</Badge>}
            <ResultBadge result={data.result} />
          </Group>
        )
      }
    >
      <Loaded of={query}>
        {(login) => (
          <>
            <Explanation site={site} login={login} />
            <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="xl">
              <Section title={t.timeline}>
                <LoginTimeline steps={login.steps} />
              </Section>
              <Section title={t.details} about={t.request_ids_about}>
                <LoginFacts site={site} login={login} />
              </Section>
            </SimpleGrid>
          </>
        )}
      </Loaded>
    </Page>
  )
}

/** What happened and what to do, with the pages where it is done. */
function Explanation({ site, login }: { site: SiteReference; login: LoginDetails }) {
  const { logins: t } = useTexts('logins')
  const { what, advice } = useExplain()(login.reason)
  const { provider, client_id, reason, result } = login
  const client = useRead('listClients', site).data?.clients.find((one) => one.client_id === client_id)
  const hasProviderCause = provider !== null && reason.startsWith('provider_')
  return (
    <Alert color={resultColors[result]} title={what}>
      <Text size="sm">{advice}</Text>
      <Group gap="lg" mt={advice === '' ? 0 : 'xs'}>
        {hasProviderCause && <PageLink to={paths.provider(site, provider)} label={t.open_provider} />}
        {result === 'rejected' && client !== undefined && (
          <PageLink to={paths.client(site, client.client_id)} label={t.open_client} />
        )}
        <PageLink to={paths.logins(site, toQuery(login))} label={t.similar} />
      </Group>
    </Alert>
  )
}

function PageLink({ to, label }: { to: string; label: string }) {
  return (
    <Anchor component={Link} href={to} size="sm">
      {label}
    </Anchor>
  )
}
