import { z } from 'zod'
import { messagingPermissions } from '#contracts'

/** What a site login can request of the messaging provider with `extended_items`. */
export const ExtendedItem = z.enum(['email', ...messagingPermissions])
export type ExtendedItem = z.infer<typeof ExtendedItem>

/** Parses the comma-separated `extended_items`. Unknown names are ignored, like unknown parameters. */
export function parseExtendedItems(list = ''): ExtendedItem[] {
  return [...new Set(list.split(','))].flatMap((name) => ExtendedItem.safeParse(name.trim()).data ?? [])
}
