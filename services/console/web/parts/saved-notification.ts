import { notifications } from '@mantine/notifications'
import { useTexts } from '../texts/index.tsx'

/** Tells, for some seconds, that something is saved. */
export function useSavedNotification(): () => void {
  const { common } = useTexts()
  return () => {
    notifications.show({ message: common.saved, color: 'teal', closeButtonProps: { 'aria-label': common.close } })
  }
}
