import { Anchor, Card, Group, Progress, SimpleGrid, Stack, Text } from '@mantine/core'
import { Link } from 'wouter'
import { useRead } from '../../admin/queries.ts'
import type { AdminOutput, Provider, SiteReference } from '../../admin/types.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { ProviderMark } from '../../parts/provider-mark.tsx'
import { useNameProvider } from '../../parts/site-providers.ts'
import { paths } from '../../shell/paths.ts'
import { useFormat } from '../../texts/format.ts'
import { useTexts } from '../../texts/index.tsx'
import { DayChart } from './day-chart.tsx'

type LoginUsage = AdminOutput<'readLoginUsage'>

const refreshMs = 30_000

/** Logins and API calls of the last day with those of the day before, and how many started logins each provider completed. */
export function Traffic({ site }: { site: SiteReference }) {
  const { overview: t } = useTexts('overview')
  const day = { ...site, span: 'day' } as const
  const dayBefore = { ...day, previous: 'true' } as const
  const logins = useRead('readLoginUsage', day, { intervalMs: refreshMs })
  const calls = useRead('readApiUsage', day, { intervalMs: refreshMs })
  const loginsBefore = useRead('readLoginUsage', dayBefore)
  const callsBefore = useRead('readApiUsage', dayBefore)
  const link = (
    <Anchor component={Link} href={`${paths.site(site)}/usage`} size="sm">
      {t.all_usage}
    </Anchor>
  )
  return (
    <SimpleGrid cols={{ base: 1, md: 2, xl: 3 }}>
      <DayChart
        title={t.logins}
        points={logins.data && sumProviders(logins.data)}
        before={loginsBefore.data && sumProviders(loginsBefore.data)}
        link={link}
      />
      <DayChart title={t.calls} points={calls.data?.calls} before={callsBefore.data?.calls} link={link} />
      <Loaded of={logins}>{({ funnel }) => <Conversion funnel={funnel} />}</Loaded>
    </SimpleGrid>
  )
}

/** Adds the counts of all providers in each hour. Every provider has the same hours. */
function sumProviders({ logins }: LoginUsage) {
  const [first = [], ...others] = Object.values(logins)
  return first.map(({ at, count }, hour) => ({
    at,
    count: others.reduce((total, points) => total + (points?.[hour]?.count ?? 0), count),
  }))
}

/** The share of started logins that came back from each provider, and that were completed. */
function Conversion({ funnel }: Pick<LoginUsage, 'funnel'>) {
  const { overview: t } = useTexts('overview')
  const nameProvider = useNameProvider()
  const format = useFormat()
  // The keys are those of the type.
  const rows = Object.entries(funnel) as [Provider, NonNullable<LoginUsage['funnel'][Provider]>][]
  return (
    <Card withBorder padding="md">
      <Text size="sm" c="dimmed" mb="sm">
        {t.conversion}
      </Text>
      {rows.length === 0 && <Text c="dimmed">{t.no_logins}</Text>}
      <Stack gap="sm">
        {rows
          .sort(([, one], [, other]) => other.started - one.started)
          .map(([provider, { started, returned, completed }]) => {
            const shareOf = (count: number) => (started === 0 ? 0 : count / started)
            return (
              <div key={provider}>
                <Group justify="space-between" gap="xs" wrap="nowrap">
                  <Group gap={6} wrap="nowrap">
                    <ProviderMark provider={provider} />
                    <Text size="sm">{nameProvider(provider)}</Text>
                  </Group>
                  <Text size="sm" c="dimmed">
                    {t.steps_of_login({
                      started: format.number(started),
                      returned: format.number(returned),
                      completed: format.number(completed),
                    })}
                  </Text>
                </Group>
                <Progress.Root size="sm" mt={4} aria-hidden>
                  <Progress.Section value={shareOf(completed) * 100} color="teal" />
                  <Progress.Section value={Math.max(0, shareOf(returned) - shareOf(completed)) * 100} color="yellow" />
                </Progress.Root>
              </div>
            )
          })}
      </Stack>
    </Card>
  )
}
