import { configured } from 'virtual:contract/providers'
import '@mantine/charts/styles.css'
import { BarChart } from '@mantine/charts'
import { Text } from '@mantine/core'
import type { AdminOutput, Provider } from '../../admin/types.ts'
import { describeBuiltIn } from '../../parts/describe-provider.ts'
import { useNameProvider } from '../../parts/site-providers.ts'
import { useFormat } from '../../texts/format.ts'
import { useLanguage, useTexts } from '../../texts/index.tsx'

type Points = AdminOutput<'readApiUsage'>['calls']
type Span = 'day' | 'month' | 'year'

const height = 260

interface LoginChartProps {
  readonly series: Partial<Record<Provider, Points>>
  readonly span: Span
  readonly label: string
}

/** Logins or new users by provider. */
export function LoginChart({ series, span, label }: LoginChartProps) {
  const nameProvider = useNameProvider()
  // The keys are those of the type.
  const entries = Object.entries(series) as [Provider, Points][]
  const seriesByName = entries.map(([provider, points]) => {
    return { name: nameProvider(provider), color: (describeBuiltIn(provider) ?? configured).chartColor, points }
  })
  return <CountChart series={seriesByName} span={span} label={label} />
}

/** Accepted and rate-limited calls. */
export function ApiChart({ calls, limited, span }: { calls: Points; limited: Points; span: Span }) {
  const { usage: t } = useTexts('usage')
  const named = [
    { name: t.allowed, color: 'cyan.7', points: calls },
    { name: t.limited, color: 'red.7', points: limited },
  ]
  return <CountChart series={named} span={span} label={t.calls} />
}

interface Series {
  readonly name: string
  readonly color: string
  readonly points: Points
}

/** A stacked bar for each time slot. */
function CountChart({ series, span, label }: { series: readonly Series[]; span: Span; label: string }) {
  const { usage: t } = useTexts('usage')
  const tick = useTick(span)
  const format = useFormat()
  if (series.every(({ points }) => points.every(({ count }) => count === 0))) return <Text c="dimmed">{t.no_data}</Text>
  // A hidden tooltip keeps its place when the window becomes narrower, and would make the page wider than it.
  return (
    <div role="img" aria-label={`${label}: ${t.spans[span]}`} style={{ overflowX: 'clip' }}>
      <BarChart
        h={height}
        type="stacked"
        data={groupByTime(series).map(({ at, ...counts }) => ({ at: tick(at), ...counts }))}
        dataKey="at"
        withLegend
        yAxisProps={{ allowDecimals: false }}
        valueFormatter={format.number}
        series={series.map(({ name, color }) => ({ name, color }))}
      />
    </div>
  )
}

function groupByTime(series: readonly Series[]) {
  const times = [...new Set(series.flatMap(({ points }) => points.map(({ at }) => at)))].sort()
  return times.map((at) => ({
    at,
    ...Object.fromEntries(
      series.map(({ name, points }) => [name, points.find((point) => point.at === at)?.count ?? 0] as const),
    ),
  }))
}

function useTick(span: Span): (at: string) => string {
  const { language } = useLanguage()
  const styles: Record<Span, Intl.DateTimeFormatOptions> = {
    day: { hour: '2-digit', minute: '2-digit' },
    // Counts are by days and months in UTC.
    month: { month: 'short', day: 'numeric', timeZone: 'UTC' },
    year: { year: 'numeric', month: 'short', timeZone: 'UTC' },
  }
  const format = new Intl.DateTimeFormat(language, styles[span])
  return (at) => format.format(new Date(at))
}
