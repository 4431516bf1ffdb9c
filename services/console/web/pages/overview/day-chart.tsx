import { Card, Group, Skeleton, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useFormat } from '../../texts/format.ts'
import { useTexts } from '../../texts/index.tsx'

interface Point {
  readonly at: string
  readonly count: number
}

interface Props {
  readonly title: string
  /** Counts by hour; undefined while they load. */
  readonly points: readonly Point[] | undefined
  /** Those of the day before, in the same hours. */
  readonly before: readonly Point[] | undefined
  readonly link: ReactNode
}

const height = 96
const gap = 2
const hourWidth = 10

/** Counts of the last 24 hours as bars, with those of the day before as a line. */
export function DayChart({ title, points, before, link }: Props) {
  const { overview: t } = useTexts('overview')
  const format = useFormat()
  if (points === undefined || before === undefined) return <Skeleton h={196} />
  const [now, then] = [sum(points), sum(before)]
  const most = Math.max(1, ...points.map(({ count }) => count), ...before.map(({ count }) => count))
  const heightOf = ({ count }: Point) => (count / most) * height
  const line = before.map((point, at) => `${at * hourWidth + hourWidth / 2},${height - heightOf(point)}`).join(' ')
  return (
    <Card withBorder padding="md">
      <Stack gap="xs">
        <Group justify="space-between" align="baseline">
          <Text size="sm" c="dimmed">
            {title}
          </Text>
          {link}
        </Group>
        <Group gap="sm" align="baseline">
          <Text size="xl" fw={600}>
            {format.number(now)}
          </Text>
          <Text size="sm" c="dimmed">
            {then === 0 ? t.no_day_before : t.day_before({ count: then, change: format.change(now / then - 1) })}
          </Text>
        </Group>
        <svg
          viewBox={`0 0 ${points.length * hourWidth} ${height}`}
          preserveAspectRatio="none"
          height={height}
          width="100%"
          role="img"
          aria-label={t.chart({ title, now, then })}
        >
          {points.map((point, at) => (
            <rect
              key={point.at}
              x={at * hourWidth + gap / 2}
              // An hour without counts is still visible.
              y={height - Math.max(1, heightOf(point))}
              width={hourWidth - gap}
              height={Math.max(1, heightOf(point))}
              rx={1}
              fill="var(--mantine-primary-color-filled)"
            >
              <title>{`${format.moment(point.at)}: ${format.number(point.count)}`}</title>
            </rect>
          ))}
          <polyline
            points={line}
            fill="none"
            stroke="var(--mantine-color-dimmed)"
            strokeDasharray="4 3"
            vectorEffect="non-scaling-stroke"
          />
        </svg>
        <Group justify="space-between">
          <Text size="xs" c="dimmed">
            {t.a_day_ago}
          </Text>
          <Text size="xs" c="dimmed">
            {t.now}
          </Text>
        </Group>
      </Stack>
    </Card>
  )
}

function sum(points: readonly Point[]): number {
  return points.reduce((total, { count }) => total + count, 0)
}
