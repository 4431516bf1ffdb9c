import { Card, SimpleGrid, Stack, Text } from '@mantine/core'
import { useFormat } from '../../texts/format.ts'
import { useTexts } from '../../texts/index.tsx'
import { isActive, isReady, type SiteData } from './site-data.ts'

export function Figures({ data: { users, clients, providers, keys } }: { data: SiteData }) {
  const { overview: t } = useTexts('overview')
  const figures = [
    { says: t.users, value: users },
    { says: t.clients, value: clients?.length },
    { says: t.enabled_providers, value: providers?.filter(isReady).length },
    { says: t.active_keys, value: keys?.filter(isActive).length },
  ]
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }}>
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
      <Stack justify="space-between" h="100%" gap="xs">
        <Text size="sm" c="dimmed">
          {says}
        </Text>
        <Text size="xl" fw={600}>
          {value === undefined ? '–' : format.number(value)}
        </Text>
      </Stack>
    </Card>
  )
}
