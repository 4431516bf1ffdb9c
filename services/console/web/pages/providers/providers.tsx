import { Anchor, Button, Group, Text } from '@mantine/core'
import { Link } from 'wouter'
import { useHasRole } from '../../admin/permissions.ts'
import { useRead } from '../../admin/queries.ts'
import type { SiteReference } from '../../admin/types.ts'
import { DateTime } from '../../parts/date-time.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Page } from '../../parts/page.tsx'
import { ProviderMark } from '../../parts/provider-mark.tsx'
import { useNameProvider } from '../../parts/site-providers.ts'
import { DataTable } from '../../parts/table/data-table.tsx'
import { paths } from '../../shell/paths.ts'
import { useTexts } from '../../texts/index.tsx'
import { AddProvider } from './add-provider.tsx'
import { getState, ProviderState } from './provider-state.tsx'

/** All login providers with the state of their settings. */
export function ProvidersPage({ site }: { site: SiteReference }) {
  const { providers: t, common } = useTexts('providers')
  const nameProvider = useNameProvider()
  const query = useRead('listProviderSettings', site)
  const hasRole = useHasRole(site)
  return (
    <Page
      title={t.title}
      about={t.about}
      actions={hasRole('editor') && query.data && <AddProvider site={site} providers={query.data.providers} />}
    >
      <Loaded of={query}>
        {({ providers }) => (
          <DataTable
            label={t.title}
            keep="providers"
            rows={providers}
            name={({ provider }) => provider}
            empty={common.nothing}
            columns={[
              {
                title: common.name,
                value: ({ provider }) => nameProvider(provider),
                cell: ({ provider }) => (
                  <Group gap={6} component="span" display="inline-flex">
                    <ProviderMark provider={provider} />
                    <Anchor component={Link} href={paths.provider(site, provider)} fw={500}>
                      {nameProvider(provider)}
                    </Anchor>
                    <Text span size="sm" c="dimmed">
                      {provider}
                    </Text>
                  </Group>
                ),
              },
              {
                title: t.state,
                value: (settings) => t.states[getState(settings)],
                cell: (settings) => <ProviderState of={settings} />,
              },
              {
                title: t.secret_ends,
                value: ({ client_secret_expires_at: at }) => at,
                cell: ({ client_secret_expires_at: at }) =>
                  at && <DateTime at={at} relative {...(Date.parse(at) < Date.now() && { c: 'red', fw: 600 })} />,
              },
              {
                title: null,
                number: true,
                cell: (settings) => (
                  <Button
                    component={Link}
                    href={paths.provider(site, settings.provider)}
                    variant="default"
                    size="compact-sm"
                  >
                    {getState(settings) === 'off' && hasRole('editor') ? t.set_up : t.change}
                  </Button>
                ),
              },
            ]}
          />
        )}
      </Loaded>
    </Page>
  )
}
