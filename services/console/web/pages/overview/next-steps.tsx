import { Anchor, Group, Paper, Stack, Text, ThemeIcon } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { Link } from 'wouter'
import type { SiteReference } from '../../admin/types.ts'
import { Section } from '../../parts/page.tsx'
import { paths } from '../../shell/paths.ts'
import { useTexts } from '../../texts/index.tsx'
import { isActive, isReady, type SiteData } from './site-data.ts'

/** The setup steps of a new site, until all are done. */
export function NextSteps({
  site,
  known: { users, clients, providers, keys },
}: {
  site: SiteReference
  known: SiteData
}) {
  const { overview: t } = useTexts()
  if (!clients || !providers || !keys || users === undefined) return null

  const ready = providers.find(isReady)
  const at = paths.site(site)
  const steps = [
    { says: t.client, why: t.client_why, to: `${at}/clients`, done: clients.length > 0 },
    { says: t.provider, why: t.provider_why, to: `${at}/providers`, done: ready !== undefined },
    {
      says: t.login,
      why: t.login_why,
      to: ready ? paths.provider(site, ready.provider) : `${at}/providers`,
      done: users > 0,
    },
    { says: t.key, why: t.key_why, to: `${at}/keys`, done: keys.some(isActive) },
  ]
  const next = steps.findIndex(({ done }) => !done)
  if (next === -1) return <Text c="dimmed">{t.all_done}</Text>
  return (
    <Section title={t.steps} about={t.steps_about}>
      <Paper withBorder p="md">
        <Stack component="ol" gap="md" m={0} p={0} style={{ listStyle: 'none' }}>
          {steps.map(({ says, why, to, done }, atStep) => (
            <Group key={says} component="li" wrap="nowrap" align="flex-start">
              <ThemeIcon
                radius="xl"
                size="lg"
                variant={done || atStep === next ? 'filled' : 'default'}
                {...(done ? { color: 'teal' } : {})}
                aria-hidden
              >
                {done ? <IconCheck size={18} /> : atStep + 1}
              </ThemeIcon>
              <div>
                <Anchor component={Link} href={to} fw={atStep === next ? 600 : 500} {...(done ? { c: 'dimmed' } : {})}>
                  {says}
                  {done && ` (${t.done})`}
                </Anchor>
                <Text size="sm" c="dimmed">
                  {why}
                </Text>
              </div>
            </Group>
          ))}
        </Stack>
      </Paper>
    </Section>
  )
}
