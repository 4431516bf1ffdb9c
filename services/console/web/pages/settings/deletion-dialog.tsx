import { Alert, Button, Group, List, Stack } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import type { ProfileItem, Provider } from '../../admin/types.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { useNameProvider } from '../../parts/site-providers.ts'
import { useTexts } from '../../texts/index.tsx'
import { useItemName } from './item-name.ts'

export interface RemovedItems {
  readonly provider: Provider
  readonly items: readonly ProfileItem[]
}

interface Props {
  /** Absent: the dialog is closed. */
  readonly removed: readonly RemovedItems[] | undefined
  readonly onConfirm: () => void
  readonly onCancel: () => void
}

/** Confirms the deletion of fields that are no longer stored. */
export function DeletionDialog({ removed = [], onConfirm, onCancel }: Props) {
  const { settings: t, common } = useTexts('settings')
  const nameProvider = useNameProvider()
  const getName = useItemName()
  return (
    <Dialog opened={removed.length > 0} onClose={onCancel} title={t.storage_delete_title}>
      <Stack>
        <Alert color="red" icon={<IconTrash />}>
          {t.storage_warning}
        </Alert>
        <List size="sm">
          {removed.map(({ provider, items }) => (
            <List.Item key={provider}>
              {t.storage_delete({ provider: nameProvider(provider), items: items.map(getName).join(', ') })}
            </List.Item>
          ))}
        </List>
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel} data-autofocus>
            {common.cancel}
          </Button>
          <Button color="red" onClick={onConfirm}>
            {t.storage_delete_confirm}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
