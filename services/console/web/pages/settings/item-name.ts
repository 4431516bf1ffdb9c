import type { ProfileItem } from '../../admin/types.ts'
import { useTexts } from '../../texts/index.tsx'

/** An item by the name it has in the Web API; the whole groups in words. */
export function useItemName(): (item: ProfileItem) => string {
  const groups: Partial<Record<string, string>> = useTexts().settings.items
  return (item) => groups[item] ?? item
}
