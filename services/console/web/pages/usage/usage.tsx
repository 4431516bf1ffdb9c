import { SegmentedControl, Skeleton } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { useRead } from '../../admin/queries.ts'
import type { AdminInput, SiteReference } from '../../admin/types.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { useTexts } from '../../texts/index.tsx'
import { CodeTables } from './code-tables.tsx'
import { ExplainRequest } from './explain-request.tsx'
import { FunnelTable } from './funnel-table.tsx'

type Span = NonNullable<AdminInput<'readLoginUsage'>['span']>
const spans = ['day', 'month', 'year'] as const satisfies readonly Span[]

/** Loaded separately, because the chart library is larger than the rest of the page. */
const LoginChart = lazy(async () => ({ default: (await import('./charts.tsx')).LoginChart }))
const CallChart = lazy(async () => ({ default: (await import('./charts.tsx')).ApiChart }))

/** Usage of a site: logins, new users, API calls, errors, and results of single requests. */
export function UsagePage({ site }: { site: SiteReference }) {
  const { usage: t } = useTexts('usage')
  const [span, setSpan] = useState<Span>('month')
  const logins = useRead('readLoginUsage', { ...site, span }, { keepPrevious: true })
  const calls = useRead('readApiUsage', { ...site, span }, { keepPrevious: true })
  const spanControl = (
    <SegmentedControl
      value={span}
      onChange={(value) => setSpan(spans.find((one) => one === value) ?? 'month')}
      data={spans.map((value) => ({ value, label: t.spans[value] }))}
      aria-label={t.span}
    />
  )
  return (
    <Page title={t.title} about={t.about} actions={spanControl}>
      <Loaded of={logins}>
        {(data) => (
          <>
            <Section title={t.logins}>
              <Suspense fallback={<Skeleton h={260} />}>
                <LoginChart series={data.logins} span={span} label={t.logins} />
              </Suspense>
            </Section>
            <Section title={t.new_users}>
              <Suspense fallback={<Skeleton h={260} />}>
                <LoginChart series={data.new_users} span={span} label={t.new_users} />
              </Suspense>
            </Section>
            <Section title={t.funnel} about={t.funnel_about}>
              <FunnelTable of={data.funnel} />
            </Section>
          </>
        )}
      </Loaded>
      <Loaded of={calls}>
        {(data) => (
          <>
            <Section title={t.calls} about={t.limit({ busiest: data.busiest_window, limit: data.requests_per_window })}>
              <Suspense fallback={<Skeleton h={260} />}>
                <CallChart calls={data.calls} limited={data.limited} span={span} />
              </Suspense>
            </Section>
            <CodeTables codes={data.codes} operations={data.operations} />
          </>
        )}
      </Loaded>
      <ExplainRequest site={site} />
    </Page>
  )
}
