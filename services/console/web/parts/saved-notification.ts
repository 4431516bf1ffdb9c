import { notifications } from '@mantine/notifications'
import { useTexts } from '../texts/index.tsx'

/** Returns a function that shows a "saved" notification. */
export function useSavedNotification(): () => void {
  const { common } = useTexts()
  return () => {
    notifications.show({ message: common.saved, color: 'teal', closeButtonProps: { 'aria-label': common.close } })
  }
}
