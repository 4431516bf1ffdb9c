import { Anchor, Group, Paper, Stack, Text, ThemeIcon } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { lazy, type ReactNode, Suspense } from 'react'
import { Link } from 'wouter'
import type { SiteReference } from '../../admin/types.ts'
import { Section } from '../../parts/page.tsx'
import { paths } from '../../shell/paths.ts'
import { useTexts } from '../../texts/index.tsx'
import { FirstLogin } from './first-login.tsx'
import { isActive, isReady, type SiteData } from './site-data.ts'

/** Loaded for new sites only. */
const FrameworkCode = lazy(async () => ({ default: (await import('./framework-code.tsx')).FrameworkCode }))

interface Step {
  readonly says: string
  readonly why: string
  readonly to: string
  readonly done: boolean
  /** Shown while it is the next step. */
  readonly details?: ReactNode
}

/** The steps of a new site up to its first login and its first API key; nothing when all are done. */
export function NextSteps({
  site,
  data: { users, clients, providers, keys },
}: {
  site: SiteReference
  data: SiteData
}) {
  const { overview: t } = useTexts('overview')
  if (!clients || !providers || !keys || users === undefined) return null
  const ready = providers.find(isReady)
  const at = paths.site(site)
  const steps: readonly Step[] = [
    { says: t.client, why: t.client_why, to: `${at}/clients?new`, done: clients.length > 0 },
    { says: t.provider, why: t.provider_why, to: `${at}/providers`, done: ready !== undefined },
    {
      says: t.login,
      why: t.login_why,
      to: ready ? paths.provider(site, ready.provider) : `${at}/providers`,
      done: users > 0,
      details: (
        <Stack mt="sm">
          <FirstLogin site={site} />
          <Suspense>
            <FrameworkCode site={site} client={clients[0]} />
          </Suspense>
        </Stack>
      ),
    },
    { says: t.key, why: t.key_why, to: `${at}/keys?new`, done: keys.some(isActive) },
  ]
  const next = steps.findIndex(({ done }) => !done)
  if (next === -1) return null
  return (
    <Section title={t.steps} about={t.steps_about}>
      <Paper withBorder p="md">
        <Stack component="ol" gap="md" m={0} p={0} style={{ listStyle: 'none' }}>
          {steps.map((step, place) => (
            <StepItem key={step.says} step={step} number={place + 1} isNext={place === next} />
          ))}
        </Stack>
      </Paper>
    </Section>
  )
}

function StepItem({ step, number, isNext }: { step: Step; number: number; isNext: boolean }) {
  const { overview: t } = useTexts('overview')
  const { says, why, to, done, details } = step
  return (
    <Group component="li" wrap="nowrap" align="flex-start">
      <ThemeIcon
        radius="xl"
        size="lg"
        variant={done || isNext ? 'filled' : 'default'}
        {...(done ? { color: 'teal' } : {})}
        aria-hidden
      >
        {done ? <IconCheck size={18} /> : number}
      </ThemeIcon>
      <div style={{ flex: 1, minWidth: 0 }}>
        <Anchor component={Link} href={to} fw={isNext ? 600 : 500} {...(done ? { c: 'dimmed' } : {})}>
          {says}
          {done && ` (${t.done})`}
        </Anchor>
        <Text size="sm" c="dimmed">
          {why}
        </Text>
        {isNext && details}
      </div>
    </Group>
  )
}
