import { configured } from 'virtual:contract/providers'
import { Badge } from '@mantine/core'
import { useRead } from '../admin/queries.ts'
import { Loaded } from '../parts/loaded.tsx'
import { Page } from '../parts/page.tsx'
import { useNameProvider } from '../parts/site-providers.ts'
import { DataTable } from '../parts/table/data-table.tsx'
import { useFormat } from '../texts/format.ts'
import { useTexts } from '../texts/index.tsx'

const refreshMs = 15_000
const circuitColors = { closed: 'teal', half_open: 'yellow', open: 'red' } as const

/** Health of the login providers. */
export function HealthPage() {
  const { usage: t, shell, common } = useTexts('usage')
  const nameProvider = useNameProvider()
  const format = useFormat()
  const query = useRead('readProviderHealth', {}, { intervalMs: refreshMs })
  return (
    <Page title={shell.health} about={t.health_about}>
      <Loaded of={query}>
        {({ providers }) => (
          <DataTable
            label={shell.health}
            rows={providers}
            name={({ provider }) => provider}
            empty={t.no_health}
            columns={[
              {
                title: common.name,
                cell: ({ provider }) => (provider === configured.name ? t.health_configured : nameProvider(provider)),
              },
              {
                title: t.circuit,
                cell: ({ circuit }) => (
                  <Badge variant="light" color={circuitColors[circuit]}>
                    {t.circuits[circuit]}
                  </Badge>
                ),
              },
              { title: t.provider_calls, number: true, value: ({ calls }) => calls },
              { title: t.provider_failed, number: true, value: ({ failed }) => failed },
              {
                title: t.failure_rate,
                number: true,
                cell: ({ calls, failed }) => (calls === 0 ? '–' : format.percent(failed / calls)),
              },
            ]}
          />
        )}
      </Loaded>
    </Page>
  )
}
