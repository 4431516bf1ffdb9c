import { Anchor, Badge, Button, Text } from '@mantine/core'
import { Link } from 'wouter'
import { useMay } from '../../admin/may.ts'
import { useRead } from '../../admin/queries.ts'
import type { ProviderSettings, SiteName } from '../../admin/types.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Page } from '../../parts/page.tsx'
import { ProviderMark } from '../../parts/provider-mark.tsx'
import { Rows } from '../../parts/rows.tsx'
import { placeOf } from '../../shell/places.ts'
import { useTexts } from '../../texts/index.tsx'

/** Every login provider, and how far its settings are. */
export function Providers({ site }: { site: SiteName }) {
  const { providers: t, common } = useTexts()
  const query = useRead('listProviderSettings', site)
  const may = useMay(site.account)
  return (
    <Page title={t.title} about={t.about}>
      <Loaded of={query}>
        {({ providers }) => (
          <Rows
            label={t.title}
            rows={providers}
            name={({ provider }) => provider}
            empty={common.nothing}
            columns={[
              {
                title: common.name,
                cell: ({ provider }) => (
                  <>
                    <ProviderMark provider={provider} />{' '}
                    <Anchor component={Link} href={placeOf.provider(site, provider)} fw={500}>
                      {common.providers[provider]}
                    </Anchor>{' '}
                    <Text span size="sm" c="dimmed">
                      {provider}
                    </Text>
                  </>
                ),
              },
              { title: t.state, cell: (settings) => <State of={settings} /> },
              {
                title: t.secret_ends,
                cell: ({ client_secret_expires_at: at }) =>
                  at && <Moment at={at} relative {...(Date.parse(at) < Date.now() && { c: 'red', fw: 600 })} />,
              },
              {
                title: null,
                number: true,
                cell: (settings) => (
                  <Button
                    component={Link}
                    href={placeOf.provider(site, settings.provider)}
                    variant="default"
                    size="compact-sm"
                  >
                    {stateOf(settings) === 'off' && may('editor') ? t.set_up : t.change}
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

const colours = { off: 'gray', incomplete: 'yellow', switched_off: 'gray', ready: 'teal' } as const

export function State({ of: settings }: { of: ProviderSettings }) {
  const { providers: t } = useTexts()
  const state = stateOf(settings)
  return (
    <Badge variant="light" color={colours[state]}>
      {t.states[state]}
    </Badge>
  )
}

function stateOf({ login_provider_identifier, missing, enabled }: ProviderSettings): keyof typeof colours {
  if (login_provider_identifier === null) return 'off'
  if (missing.length > 0) return 'incomplete'
  return enabled ? 'ready' : 'switched_off'
}
