import { Alert, Badge, Group, Paper, Stack, Text } from '@mantine/core'
import { useHasRole } from '../../admin/permissions.ts'
import { useRead } from '../../admin/queries.ts'
import type { SiteHost, SiteHosts, SiteReference } from '../../admin/types.ts'
import { CopyableValue } from '../../parts/copyable-value.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { useFormat } from '../../texts/format.ts'
import { useTexts } from '../../texts/index.tsx'
import { AddHost, CheckHost, RemoveHost } from './host-actions.tsx'
import { SharedHost } from './shared-host.tsx'

const refreshMs = 10_000

/** The hosts of a site, what proves them, and who uses them. */
export function HostsPage({ site }: { site: SiteReference }) {
  const { hosts: t } = useTexts('hosts')
  const query = useRead('readSiteHosts', site, { intervalMs: refreshMs })
  const hasRole = useHasRole(site)
  return (
    <Page title={t.title} about={t.about} actions={hasRole('owner') && <AddHost site={site} />}>
      <Loaded of={query}>
        {(answer) => (
          <>
            <HostList site={site} answer={answer} />
            <Section title={t.issuers} about={t.issuers_about}>
              <Stack gap="xs">
                {answer.issuers.map((issuer) => (
                  <CopyableValue key={issuer} value={issuer} />
                ))}
              </Stack>
            </Section>
            <SharedHost site={site} answer={answer} />
          </>
        )}
      </Loaded>
    </Page>
  )
}

function HostList({ site, answer: { hosts } }: { site: SiteReference; answer: SiteHosts }) {
  const { hosts: t } = useTexts('hosts')
  if (hosts.length === 0)
    return (
      <Paper withBorder p="xl">
        <Text c="dimmed" ta="center">
          {t.empty}
        </Text>
      </Paper>
    )
  return (
    <Stack>
      {hosts.map((host) => (
        <HostCard key={host.host} site={site} host={host} />
      ))}
    </Stack>
  )
}

interface HostProps {
  readonly site: SiteReference
  readonly host: SiteHost
}

function HostCard({ site, host }: HostProps) {
  const { hosts: t } = useTexts('hosts')
  const format = useFormat()
  const hasRole = useHasRole(site)
  const name = { ...site, host: host.host }
  return (
    <Paper component="section" aria-label={host.host} withBorder p="md">
      <Stack gap="sm">
        <Group justify="space-between">
          <Group gap="sm">
            <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
              {host.host}
            </Text>
            <Text size="sm" c="dimmed">
              {t.purposes[host.purpose]}
            </Text>
            <HostStateBadge of={host} />
          </Group>
          <Group gap="xs">
            {hasRole('editor') && <CheckHost name={name} />}
            {hasRole('owner') && <RemoveHost name={name} />}
          </Group>
        </Group>
        <HostProblems of={host} />
        {(host.state !== 'active' || host.failing_since !== null) && <Proof of={host} />}
        <Text size="sm" c="dimmed">
          {t.point({ host: host.target })}
        </Text>
        {host.checked_at !== null && (
          <Text size="xs" c="dimmed">
            {t.checked({ time: format.exact(host.checked_at) })}
          </Text>
        )}
      </Stack>
    </Paper>
  )
}

const colors = { claimed: 'gray', active: 'teal', proof_missing: 'orange', suspended: 'red' } as const

function HostStateBadge({ of: { state, failing_since } }: { of: SiteHost }) {
  const { hosts: t } = useTexts('hosts')
  const shown = state === 'active' && failing_since !== null ? 'proof_missing' : state
  return (
    <Badge variant="light" color={colors[shown]}>
      {t.states[shown]}
    </Badge>
  )
}

function HostProblems({ of: { state, problems, failing_since } }: { of: SiteHost }) {
  const { hosts: t } = useTexts('hosts')
  const format = useFormat()
  if (problems.length === 0) return null
  const title =
    state === 'suspended'
      ? t.suspended_about
      : failing_since === null
        ? undefined
        : t.missing_about({ since: format.exact(failing_since) })
  return (
    <Alert color={state === 'claimed' ? 'gray' : 'orange'} title={title}>
      {problems.map((problem) => (
        <Text size="sm" key={problem}>
          {t.problems[problem]}
        </Text>
      ))}
    </Alert>
  )
}

function Proof({ of: { txt_name, txt_value, file_url } }: { of: SiteHost }) {
  const { hosts: t } = useTexts('hosts')
  return (
    <Stack gap="xs">
      <Text size="sm" fw={500}>
        {t.prove}
      </Text>
      <Text size="sm" c="dimmed">
        {t.prove_about}
      </Text>
      <CopyableValue label={t.txt_name} value={txt_name} />
      <CopyableValue label={t.txt_value} value={txt_value} />
      <CopyableValue label={t.file_url} value={file_url} />
      <Text size="sm" c="dimmed">
        {t.file_value}
      </Text>
    </Stack>
  )
}
