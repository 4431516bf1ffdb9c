import { Button, Group, Text } from '@mantine/core'
import { useTexts } from '../texts/index.tsx'
import { hideNotification, notify } from './notify.ts'

/** How long a change can be undone. */
const undoMs = 10_000

/** Returns a function that shows a "saved" notification, for some seconds with a button that undoes the change. */
export function useSavedNotification(): (undo?: () => void) => void {
  const { common } = useTexts()
  return (undo) => {
    const id = crypto.randomUUID()
    const undoAndClose = () => {
      void hideNotification(id)
      undo?.()
    }
    const message =
      undo === undefined ? (
        common.saved
      ) : (
        <Group justify="space-between" wrap="nowrap">
          <Text size="sm">{common.saved}</Text>
          <Button size="compact-sm" variant="light" onClick={undoAndClose}>
            {common.undo}
          </Button>
        </Group>
      )
    const autoClose = undo === undefined ? undefined : undoMs
    void notify({
      id,
      message,
      color: 'teal',
      closeButtonProps: { 'aria-label': common.close },
      ...(autoClose !== undefined && { autoClose }),
    })
  }
}
