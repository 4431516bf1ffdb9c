import { profileItems } from 'virtual:contract'
import { descriptions } from 'virtual:contract/providers'
import { Accordion, Checkbox, Group, SimpleGrid, Stack, Text } from '@mantine/core'
import type { ProfileItem, Provider } from '../../admin/types.ts'
import { useTexts } from '../../texts/index.tsx'
import { useItemName } from './item-name.ts'

interface Props {
  readonly provider: Provider
  readonly not_stored: readonly ProfileItem[]
  readonly disabled: boolean
  readonly onChange: (notStored: ProfileItem[]) => void
}

/** What of a provider's profiles is stored; the items that it does not supply today are apart. */
export function StoredItems({ provider, not_stored, disabled, onChange }: Props) {
  const { settings: t, common } = useTexts()
  const nameOf = useItemName()
  const supplied = descriptions[provider].supplies
  const other = profileItems.filter((item) => !supplied.includes(item))
  const kept = supplied.filter((item) => !not_stored.includes(item)).length
  const set = (items: readonly ProfileItem[], stored: boolean) => {
    const rest = not_stored.filter((item) => !items.includes(item))
    onChange(stored ? rest : [...rest, ...items])
  }
  const boxes = (items: readonly ProfileItem[]) => (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="xs">
      {items.map((item) => (
        <Checkbox
          key={item}
          label={nameOf(item)}
          checked={!not_stored.includes(item)}
          disabled={disabled}
          onChange={(event) => set([item], event.currentTarget.checked)}
        />
      ))}
    </SimpleGrid>
  )
  return (
    <Accordion.Item value={provider}>
      <Accordion.Control>
        <Group justify="space-between" pr="sm">
          {common.providers[provider]}
          <Text size="sm" c="dimmed" {...(kept < supplied.length && { fw: 600 })}>
            {t.stored({ kept, all: supplied.length })}
          </Text>
        </Group>
      </Accordion.Control>
      <Accordion.Panel>
        <Stack gap="sm">
          <Checkbox
            label={t.all}
            fw={600}
            checked={kept === supplied.length}
            indeterminate={kept > 0 && kept < supplied.length}
            disabled={disabled}
            onChange={(event) => set(supplied, event.currentTarget.checked)}
          />
          {boxes(supplied)}
          <details>
            <summary>
              <Text span size="sm" c="dimmed">
                {t.other_items}
              </Text>
            </summary>
            <Stack pt="xs">{boxes(other)}</Stack>
          </details>
        </Stack>
      </Accordion.Panel>
    </Accordion.Item>
  )
}
