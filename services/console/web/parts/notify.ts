import type { NotificationData } from '@mantine/notifications'

/** Shows a notification. Its code is loaded with the first one, because the pages work without it. */
export async function notify(notification: NotificationData): Promise<void> {
  const { notifications } = await import('@mantine/notifications')
  notifications.show(notification)
}

export async function hideNotification(id: string): Promise<void> {
  const { notifications } = await import('@mantine/notifications')
  notifications.hide(id)
}
