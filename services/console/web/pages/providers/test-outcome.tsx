import { Alert, Anchor, Loader, Stack, Table, Text, Title } from '@mantine/core'
import { IconAlertCircle, IconCircleCheck } from '@tabler/icons-react'
import { Link } from 'wouter'
import { useRead } from '../../admin/queries.ts'
import type { AdminOutput, LoginProvider, SiteReference } from '../../admin/types.ts'
import { FaultAlert } from '../../parts/fault-alert.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { paths } from '../../shell/paths.ts'
import { useTexts } from '../../texts/index.tsx'
import { ProfileTable } from '../users/profile-table.tsx'

const refreshMs = 2_000

type Outcome = AdminOutput<'readTestLogin'>
interface Props {
  readonly site: SiteReference
  readonly provider: LoginProvider
  readonly state: string
}

/** Outcome of a test login. It is not read again when it is final, because the service deletes it after some minutes. */
export function TestOutcome({ site, provider, state }: Props) {
  const { providers: t } = useTexts('providers')
  const { data, error } = useRead(
    'readTestLogin',
    { ...site, provider, state },
    { intervalMs: (read) => (isFinished(read) ? false : refreshMs), isFinal: isFinished },
  )
  if (data?.outcome === 'came') return <CompletedLogin site={site} {...data} />
  if (data?.outcome === 'failed') return <FailedLogin {...data} />
  if (error?.fault === 'not_found') return <Text size="sm">{t.test_expired}</Text>
  return (
    <>
      {error && <FaultAlert fault={error} />}
      <Text size="sm" c="dimmed" role="status">
        <Loader size="xs" mr="xs" />
        {t.test_waiting}
      </Text>
    </>
  )
}

const isFinished = (read: Outcome | undefined) => read !== undefined && read.outcome !== 'waiting'

type CompletedProps = { readonly site: SiteReference } & Extract<Outcome, { outcome: 'came' }>

function CompletedLogin({ site, identifier, claims, exchanges }: CompletedProps) {
  const { providers: t } = useTexts('providers')
  const query = useRead('readUser', { ...site, identifier }, { personal: true })
  return (
    <Stack role="status">
      <Alert color="teal" icon={<IconCircleCheck />}>
        {t.test_succeeded}{' '}
        <Anchor component={Link} href={paths.user(site, identifier)} size="sm" underline="always">
          {t.test_user}
        </Anchor>
      </Alert>
      <div>
        <Title order={3} size="h5">
          {t.test_claims}
        </Title>
        <Text size="sm" c="dimmed">
          {t.test_claims_about}
        </Text>
      </div>
      <ClaimTable claims={claims} />
      <Title order={3} size="h5">
        {t.test_stored}
      </Title>
      <Loaded of={query}>{(detail) => <ProfileTable detail={detail} />}</Loaded>
      <ExchangeTable exchanges={exchanges} />
    </Stack>
  )
}

function ClaimTable({ claims }: { claims: Readonly<Record<string, unknown>> }) {
  const { providers: t } = useTexts('providers')
  return (
    <Table.ScrollContainer minWidth={480}>
      <Table withTableBorder verticalSpacing="xs" layout="fixed" aria-label={t.test_claims}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th w="32%">{t.test_claim}</Table.Th>
            <Table.Th>{t.test_value}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {Object.entries(claims).map(([claim, value]) => (
            <Table.Tr key={claim}>
              <Table.Th fw={400} ff="monospace" style={{ overflowWrap: 'anywhere' }}>
                {claim}
              </Table.Th>
              <Table.Td style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
                {typeof value === 'string' ? value : JSON.stringify(value, null, 1)}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

function FailedLogin({ error, advice, exchanges, ...failed }: Extract<Outcome, { outcome: 'failed' }>) {
  const { providers: t, definition } = useTexts('providers', 'definition')
  return (
    <Stack>
      <Alert role="alert" color="red" icon={<IconAlertCircle />} title={t.test_failed}>
        <Text size="sm">{advice === null ? t.test_failed_advice({ error }) : definition.advice[advice]}</Text>
        {failed.provider_message && (
          <Text size="sm" c="dimmed">
            {failed.provider_message}
          </Text>
        )}
      </Alert>
      <ExchangeTable exchanges={exchanges} />
    </Stack>
  )
}

/** What was sent to the provider, and its responses. */
function ExchangeTable({ exchanges }: Pick<CompletedProps, 'exchanges'>) {
  const { definition: t } = useTexts('definition')
  if (exchanges.length === 0) return null
  return (
    <Table.ScrollContainer minWidth={480}>
      <Table withTableBorder verticalSpacing="xs" layout="fixed" aria-label={t.exchanges}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t.exchange}</Table.Th>
            <Table.Th w={110}>{t.exchange_status}</Table.Th>
            <Table.Th>{t.exchange_fields}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {exchanges.map(({ method, address, status, fields }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the list does not change
            <Table.Tr key={index}>
              <Table.Td ff="monospace" style={{ overflowWrap: 'anywhere' }}>
                {method} {address}
              </Table.Td>
              <Table.Td>{status ?? t.no_response}</Table.Td>
              <Table.Td style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
                {JSON.stringify(fields, null, 1)}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}
