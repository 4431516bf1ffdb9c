import { Anchor, Group, Paper, Stack, Text, ThemeIcon } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import { Link } from 'wouter'
import type { SiteReference } from '../../admin/types.ts'
import { Section } from '../../parts/page.tsx'
import { useTexts } from '../../texts/index.tsx'
import type { SiteData } from './site-data.ts'
import { useProblems } from './use-problems.ts'

/** What needs attention at a site, each with the page that solves it. */
export function Problems({ site, data }: { site: SiteReference; data: SiteData }) {
  const { overview: t } = useTexts('overview')
  const problems = useProblems(site, data)
  return (
    <Section title={t.problems}>
      <Paper withBorder p="md">
        <Stack component="ul" gap="sm" m={0} p={0} style={{ listStyle: 'none' }}>
          {problems.map(({ says, to, link, serious }) => (
            <Group key={says} component="li" wrap="nowrap" align="flex-start" gap="sm">
              <ThemeIcon variant="light" color={serious ? 'red' : 'yellow'} aria-hidden>
                <IconAlertTriangle size={18} />
              </ThemeIcon>
              <Text component="div" pt={2}>
                {says}{' '}
                <Anchor component={Link} href={to} inherit>
                  {link}
                </Anchor>
              </Text>
            </Group>
          ))}
          {problems.length === 0 && (
            <Group component="li" gap="sm">
              <ThemeIcon variant="light" color="teal" aria-hidden>
                <IconCircleCheck size={18} />
              </ThemeIcon>
              {t.no_problems}
            </Group>
          )}
        </Stack>
      </Paper>
    </Section>
  )
}
