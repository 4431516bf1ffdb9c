import { Table, Text } from '@mantine/core'
import type { Provider, UserDetail } from '../../admin/types.ts'
import { useNameProvider } from '../../parts/site-providers.ts'
import { useTexts } from '../../texts/index.tsx'

type Cell = unknown

/** The combined profile and the data of each provider, without empty fields. */
export function ProfileTable({ detail }: { detail: Pick<UserDetail, 'profile' | 'by_provider'> }) {
  const { users: t } = useTexts('users')
  const nameProvider = useNameProvider()
  const sources = Object.entries(detail.by_provider) as [Provider, NonNullable<UserDetail['by_provider'][Provider]>][]
  const { profile, email, phone, follow } = detail.profile
  const { last_updated_at: _, update_count: __, ...fields } = profile

  const rows: { says: string; combined: Cell; by: Cell[] }[] = [
    ...Object.entries(fields).map(([field, combined]) => ({
      says: field,
      combined,
      by: sources.map(([, data]) => (data.profile as Record<string, Cell>)[field]),
    })),
    {
      says: 'email',
      combined: email.map((one) => one.email),
      by: sources.map(([, data]) => data.email.map((one) => `${one.email}${one.verified ? ' ✓' : ''}`)),
    },
    {
      says: 'phone',
      combined: phone.map((one) => one.number),
      by: sources.map(([, data]) => data.phone.map((one) => one.number)),
    },
    { says: 'followed_by', combined: follow.followed_by, by: sources.map(([, data]) => data.follow?.followed_by) },
    { says: 'following', combined: follow.following, by: sources.map(([, data]) => data.follow?.following) },
  ]
  const visibleRows = rows.filter(({ combined, by }) => [combined, ...by].some((cell) => formatCell(cell) !== ''))
  if (visibleRows.length === 0) return <Text c="dimmed">{t.no_profile}</Text>
  return (
    <Table.ScrollContainer minWidth={480}>
      <Table withTableBorder verticalSpacing="xs" aria-label={t.profile}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t.field}</Table.Th>
            <Table.Th>{t.combined}</Table.Th>
            {sources.map(([provider]) => (
              <Table.Th key={provider}>{nameProvider(provider)}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {visibleRows.map(({ says, combined, by }) => (
            <Table.Tr key={says}>
              <Table.Th fw={400} c="dimmed">
                {says}
              </Table.Th>
              <Table.Td fw={500} style={{ overflowWrap: 'anywhere' }}>
                {formatCell(combined)}
              </Table.Td>
              {sources.map(([provider], at) => (
                <Table.Td key={provider} style={{ overflowWrap: 'anywhere' }}>
                  {formatCell(by[at])}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

function formatCell(value: Cell): string {
  if (value === null || value === undefined) return ''
  return Array.isArray(value) ? value.join(', ') : String(value)
}
