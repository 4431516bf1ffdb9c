import type { ProfileItem } from '../../admin/types.ts'
import { useTexts } from '../../texts/index.tsx'

/** Returns the name of an item: that of the Web API, or a label for groups. */
export function useItemName(): (item: ProfileItem) => string {
  const { settings } = useTexts('settings')
  const groups: Partial<Record<string, string>> = settings.items
  return (item) => groups[item] ?? item
}
