import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { IconBan } from '@tabler/icons-react'
import { useHasRole } from '../../admin/permissions.ts'
import { mutate } from '../../admin/queries.ts'
import type { SiteReference, User } from '../../admin/types.ts'
import { useAction } from '../../admin/use-action.ts'
import { FaultAlert } from '../../parts/fault-alert.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { toUtc } from '../../parts/to-utc.ts'
import { useFormat } from '../../texts/format.ts'
import { useTexts } from '../../texts/index.tsx'
import type { UserReference } from './user-actions.tsx'

type Block = NonNullable<User['block']>

/** Blocks a user, or changes the block. */
export function BlockUser({ name, block }: { name: UserReference; block: Block | undefined }) {
  const { users: t } = useTexts('users')
  const hasRole = useHasRole(name)
  if (!hasRole('editor')) return null
  return (
    <FormDialog<BlockValues>
      label={block === undefined ? t.block : t.block_change}
      title={block === undefined ? t.block_title : t.block_change_title}
      button={{ color: 'red', variant: 'light', leftSection: <IconBan size={18} /> }}
      initial={{ reason: block?.reason ?? '', until: block?.until == null ? '' : toLocalTime(block.until) }}
      fields={(form) => <BlockFields form={form} />}
      save={async (values) => {
        await mutate('blockUser', { ...name, ...toBlock(values) })
        return undefined
      }}
    />
  )
}

interface BlockValues extends Record<string, unknown> {
  readonly reason: string
  readonly until: string
}

function BlockFields({ form }: { form: UseFormReturnType<BlockValues> }) {
  const { users: t } = useTexts('users')
  return (
    <>
      <Text size="sm">{t.block_about}</Text>
      <TextInput
        label={t.block_reason}
        description={t.block_reason_hint}
        maxLength={500}
        {...form.getInputProps('reason')}
      />
      <TextInput
        type="datetime-local"
        label={t.block_until}
        description={t.block_until_hint}
        {...form.getInputProps('until')}
      />
    </>
  )
}

function toBlock({ reason, until }: BlockValues) {
  return { reason: reason.trim() || null, until: until === '' ? null : toUtc(until) }
}

/** Blocks the users that are selected in the list, one after the other. Those that remain after an error stay selected. */
export function BlockUsers({ site, users }: { site: SiteReference; users: readonly User[] }) {
  const { users: t } = useTexts('users')
  const count = users.length
  return (
    <FormDialog<BlockValues>
      label={t.block_users({ count })}
      title={t.block_users_title({ count })}
      button={{ color: 'red', variant: 'light', size: 'compact-sm', leftSection: <IconBan size={16} /> }}
      initial={{ reason: '', until: '' }}
      fields={(form) => <BlockFields form={form} />}
      save={async (values) => {
        for (const { identifier } of users) await mutate('blockUser', { ...site, identifier, ...toBlock(values) })
        return undefined
      }}
    />
  )
}

/** Unblocks the selected users that are blocked. */
export function UnblockUsers({ site, users }: { site: SiteReference; users: readonly User[] }) {
  const { users: t } = useTexts('users')
  const blocked = users.filter(({ block }) => block !== undefined)
  const unblocking = useAction(async () => {
    for (const { identifier } of blocked) await mutate('unblockUser', { ...site, identifier })
  })
  if (blocked.length === 0) return null
  return (
    <>
      <Button size="compact-sm" variant="default" loading={unblocking.isBusy} onClick={() => unblocking.run()}>
        {t.unblock_users({ count: blocked.length })}
      </Button>
      {unblocking.fault && <FaultAlert fault={unblocking.fault} />}
    </>
  )
}

/** Says that a user is blocked, why and until when, and unblocks the user. */
export function BlockNotice({ name, block }: { name: UserReference; block: Block }) {
  const { users: t } = useTexts('users')
  const hasRole = useHasRole(name)
  const format = useFormat()
  const unblocking = useAction(() => mutate('unblockUser', name))
  const { since, until, reason, by } = block
  return (
    <Alert color="red" icon={<IconBan size={18} />} title={t.block_notice}>
      <Stack gap="xs" align="flex-start">
        {reason !== null && <Text size="sm">{reason}</Text>}
        <Text size="sm">
          {t.block_notice_by({ name: by, time: format.moment(since) })}
          {until !== null && ` ${t.block_notice_until({ time: format.moment(until) })}`}
        </Text>
        {unblocking.fault && <FaultAlert fault={unblocking.fault} />}
        {hasRole('editor') && (
          <Group>
            <Button size="compact-sm" variant="default" loading={unblocking.isBusy} onClick={() => unblocking.run()}>
              {t.unblock}
            </Button>
          </Group>
        )}
      </Stack>
    </Alert>
  )
}

/** The time as an input field has it, such as 2030-01-31T10:00 in the time zone of the browser. */
function toLocalTime(time: string): string {
  const date = new Date(time)
  const pad = (value: number) => String(value).padStart(2, '0')
  const day = [date.getFullYear(), pad(date.getMonth() + 1), pad(date.getDate())].join('-')
  return `${day}T${pad(date.getHours())}:${pad(date.getMinutes())}`
}
