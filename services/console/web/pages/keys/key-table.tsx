import { Badge, Code, Group, List, Popover, Progress, Stack, Text, UnstyledButton } from '@mantine/core'
import { useHasRole } from '../../admin/permissions.ts'
import { mutate } from '../../admin/queries.ts'
import type { ApiKey, SiteReference } from '../../admin/types.ts'
import { DangerButton } from '../../parts/danger-button.tsx'
import { DataTable } from '../../parts/table/data-table.tsx'
import { EmptyList } from '../../parts/table/empty-list.tsx'
import { useTexts } from '../../texts/index.tsx'

interface Props {
  readonly site: SiteReference
  readonly label: string
  readonly keys: readonly ApiKey[]
  readonly canRevoke?: boolean
  /** The table shows the only active key. */
  readonly isOnlyActive?: boolean
}

function KeyName({ of: { name, brought_along } }: { of: ApiKey }) {
  const { keys: t } = useTexts('keys')
  return (
    <Group gap="xs">
      {name}
      {brought_along && <Badge color="orange">{t.brought_along}</Badge>}
    </Group>
  )
}

/** Keys with their recent usage, which shows whether a key can be revoked safely. */
export function KeyTable({ site, label, keys, canRevoke = false, isOnlyActive: only = false }: Props) {
  const { keys: t, common } = useTexts('keys')
  const hasRole = useHasRole(site)
  const revoked = keys.some(({ revoked_at }) => revoked_at !== null)
  const named = [
    { title: common.name, value: ({ name }: ApiKey) => name, cell: (key: ApiKey) => <KeyName of={key} /> },
    {
      title: t.ends_in,
      value: ({ last_four }: ApiKey) => last_four,
      cell: ({ last_four }: ApiKey) => <Code style={{ whiteSpace: 'nowrap' }}>…{last_four}</Code>,
    },
    { title: common.created, time: ({ created_at }: ApiKey) => created_at },
    { title: common.last_used, time: ({ last_used_at }: ApiKey) => last_used_at, relative: true },
  ]
  const further = revoked
    ? [{ title: t.revoked_at, time: ({ revoked_at }: ApiKey) => revoked_at }]
    : [
        {
          title: t.last_hour,
          value: ({ calls_last_hour }: ApiKey) => calls_last_hour,
          cell: (key: ApiKey) => <LastHourUsage of={key} />,
        },
        {
          title: null,
          number: true,
          cell: (key: ApiKey) =>
            canRevoke && (
              <DangerButton
                label={t.revoke}
                target={key.name}
                title={t.revoke_title({ name: key.name })}
                warning={<RevocationWarning of={key} only={only} />}
                change={() => mutate('revokeApiKey', { ...site, api_key_id: key.api_key_id })}
              />
            ),
        },
      ]
  return (
    <DataTable
      label={label}
      keep={revoked ? 'revoked-keys' : 'keys'}
      rows={keys}
      name={(key) => key.api_key_id}
      empty={<EmptyList action={hasRole('owner') && t.issue}>{t.empty}</EmptyList>}
      columns={[...named, ...further]}
    />
  )
}

function LastHourUsage({ of: key }: { of: ApiKey }) {
  const { keys: t } = useTexts('keys')
  if (key.calls_last_hour === 0) return <Text size="sm">{t.not_used}</Text>
  const share = t.share({ share: key.share_last_hour, calls: key.calls_last_hour })
  return (
    <Popover position="bottom-start" withArrow>
      <Popover.Target>
        <UnstyledButton aria-label={`${share} – ${t.callers}`}>
          <Group gap="xs" wrap="nowrap">
            <Progress value={key.share_last_hour * 100} w={56} aria-hidden />
            <Text size="sm" td="underline dotted">
              {share}
            </Text>
          </Group>
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown>
        <CallerList of={key} />
      </Popover.Dropdown>
    </Popover>
  )
}

function CallerList({ of: { callers_last_hour } }: { of: ApiKey }) {
  const { keys: t } = useTexts('keys')
  return (
    <Stack gap={4}>
      <Text size="sm" fw={600}>
        {t.callers}
      </Text>
      <List size="sm">
        {callers_last_hour.map(({ address, calls }) => (
          <List.Item key={address}>
            <Code>{address}</Code> {t.calls({ count: calls })}
          </List.Item>
        ))}
      </List>
    </Stack>
  )
}

function RevocationWarning({ of: key, only }: { of: ApiKey; only: boolean }) {
  const { keys: t } = useTexts('keys')
  return (
    <Stack gap="sm">
      <Text size="sm">{t.revoke_warning}</Text>
      {only && (
        <Text size="sm" fw={600} c="red">
          {t.revoke_last}
        </Text>
      )}
      {key.calls_last_hour > 0 ? (
        <>
          <Text size="sm" fw={600} c="red">
            {t.revoke_in_use}
          </Text>
          <CallerList of={key} />
        </>
      ) : (
        <Text size="sm" c="teal">
          {t.revoke_safe}
        </Text>
      )}
    </Stack>
  )
}
