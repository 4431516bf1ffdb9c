import { Anchor, Badge, Button, Group, Text } from '@mantine/core'
import { Link } from 'wouter'
import { useHasRole } from '../../admin/permissions.ts'
import { useRead } from '../../admin/queries.ts'
import type { ProviderSettings, SiteReference } from '../../admin/types.ts'
import { DataTable } from '../../parts/data-table.tsx'
import { DateTime } from '../../parts/date-time.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Page } from '../../parts/page.tsx'
import { ProviderMark } from '../../parts/provider-mark.tsx'
import { useNameProvider } from '../../parts/site-providers.ts'
import { paths } from '../../shell/paths.ts'
import { useTexts } from '../../texts/index.tsx'
import { AddProvider } from './add-provider.tsx'

/** All login providers with the state of their settings. */
export function ProvidersPage({ site }: { site: SiteReference }) {
  const { providers: t, common } = useTexts()
  const nameProvider = useNameProvider()
  const query = useRead('listProviderSettings', site)
  const hasRole = useHasRole(site.account)
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
            rows={providers}
            name={({ provider }) => provider}
            empty={common.nothing}
            columns={[
              {
                title: common.name,
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
              { title: t.state, cell: (settings) => <ProviderState of={settings} /> },
              {
                title: t.secret_ends,
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

const stateColors = { off: 'gray', incomplete: 'yellow', switched_off: 'gray', ready: 'teal' } as const

export function ProviderState({ of: settings }: { of: ProviderSettings }) {
  const { providers: t } = useTexts()
  const state = getState(settings)
  return (
    <Badge variant="light" color={stateColors[state]}>
      {t.states[state]}
    </Badge>
  )
}

function getState({ login_provider_identifier, missing, enabled }: ProviderSettings): keyof typeof stateColors {
  if (login_provider_identifier === null) return 'off'
  if (missing.length > 0) return 'incomplete'
  return enabled ? 'ready' : 'switched_off'
}
