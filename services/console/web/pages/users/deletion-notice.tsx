import { Alert, Button, Stack, Text } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useHasRole } from '../../admin/permissions.ts'
import { mutate } from '../../admin/queries.ts'
import type { UserDetail } from '../../admin/types.ts'
import { useAction } from '../../admin/use-action.ts'
import { FaultAlert } from '../../parts/fault-alert.tsx'
import { useFormat } from '../../texts/format.ts'
import { useTexts } from '../../texts/index.tsx'
import type { UserReference } from './user-actions.tsx'

interface NoticeProps {
  readonly name: UserReference
  readonly deletion: NonNullable<UserDetail['deletion']>
}

/** Says why and when a user will be deleted, and keeps the user. */
export function DeletionNotice({ name, deletion: { requested_at, delete_at, cause } }: NoticeProps) {
  const { users: t } = useTexts('users')
  const hasRole = useHasRole(name)
  const format = useFormat()
  const isInactive = cause === 'inactivity'
  const moment = format.moment(requested_at)
  const time = format.moment(delete_at)
  const keeping = useAction(() => mutate('cancelUserDeletion', name))
  return (
    <Alert color="orange" icon={<IconTrash size={18} />} title={isInactive ? t.inactivity_notice : t.deletion_notice}>
      <Stack gap="xs" align="flex-start">
        <Text size="sm">
          {isInactive ? t.inactivity_when({ announced: moment, time }) : t.deletion_when({ requested: moment, time })}
        </Text>
        {keeping.fault && <FaultAlert fault={keeping.fault} />}
        {hasRole('editor') && (
          <Button size="compact-sm" variant="default" loading={keeping.isBusy} onClick={() => keeping.run()}>
            {t.deletion_cancel}
          </Button>
        )}
      </Stack>
    </Alert>
  )
}
