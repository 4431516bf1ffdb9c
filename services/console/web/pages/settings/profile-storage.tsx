import { providers } from 'virtual:contract'
import { Accordion, Alert, Button, Checkbox, Group, List, Loader, Modal, SimpleGrid, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { act, useAct, useRead } from '../../admin/queries.ts'
import type { ProfileItem, Provider, Site } from '../../admin/types.ts'
import { Failure } from '../../parts/failure.tsx'
import { Section } from '../../parts/page.tsx'
import { useFormat } from '../../texts/format.ts'
import { useTexts } from '../../texts/index.tsx'
import { itemsOf } from './supplied.ts'

const watched_ms = 5_000
type NotStored = Site['profile_not_stored']
const offered = providers.filter((provider) => itemsOf(provider).supplied.length > 0)

/** What is kept of a profile, by provider and item. What is unticked is deleted: the person is told what, and asked. */
export function ProfileStorage({ site, readonly }: { site: Site; readonly: boolean }) {
  const { settings: t, common } = useTexts()
  const [not_stored, setNotStored] = useState<NotStored>(site.profile_not_stored)
  const [opened, dialog] = useDisclosure()
  const lost = offered
    .map((provider) => ({ provider, items: added(site.profile_not_stored, not_stored, provider) }))
    .filter(({ items }) => items.length > 0)
  const { account, site_id, revision } = site
  const saving = useAct(async () => {
    const kept = await act('changeSite', { account, site_id, profile_not_stored: not_stored }, { revision })
    setNotStored(kept.profile_not_stored)
    dialog.close()
    notifications.show({ message: common.saved, color: 'teal' })
  })
  const nameOf = useItemName()

  return (
    <Section title={t.storage} about={t.storage_about}>
      <Clearing site={site} />
      <Accordion variant="separated">
        {offered.map((provider) => (
          <Items
            key={provider}
            provider={provider}
            not_stored={not_stored[provider] ?? []}
            disabled={readonly}
            onChange={(items) => setNotStored({ ...not_stored, [provider]: items })}
          />
        ))}
      </Accordion>
      {saving.fault && <Failure fault={saving.fault} />}
      {!readonly && (
        <Group>
          <Button loading={saving.busy} onClick={() => (lost.length > 0 ? dialog.open() : saving.run())}>
            {common.save}
          </Button>
        </Group>
      )}
      <Modal opened={opened} onClose={dialog.close} title={t.storage_delete_title} centered>
        <Stack>
          <Alert color="red" icon={<IconTrash />}>
            {t.storage_warning}
          </Alert>
          <List size="sm">
            {lost.map(({ provider, items }) => (
              <List.Item key={provider}>
                {t.storage_delete(common.providers[provider], items.map(nameOf).join(', '))}
              </List.Item>
            ))}
          </List>
          <Group justify="flex-end">
            <Button variant="default" onClick={dialog.close} data-autofocus>
              {common.cancel}
            </Button>
            <Button color="red" loading={saving.busy} onClick={() => saving.run()}>
              {t.storage_delete_confirm}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </Section>
  )
}

/** How far the deletion of what is unticked has come. */
function Clearing({ site: { account, site_id } }: { site: Site }) {
  const { settings: t } = useTexts()
  const format = useFormat()
  const { data } = useRead('readProfileClearing', { account, site_id }, { every_ms: watched_ms })
  if (!data?.clearing) return null
  return (
    <Alert color="gray" icon={<Loader size="xs" />} role="status">
      {t.clearing(format.number(data.clearing.users_looked_at))}
    </Alert>
  )
}

interface ItemsProps {
  readonly provider: Provider
  readonly not_stored: readonly ProfileItem[]
  readonly disabled: boolean
  readonly onChange: (not_stored: ProfileItem[]) => void
}

function Items({ provider, not_stored, disabled, onChange }: ItemsProps) {
  const { settings: t, common } = useTexts()
  const nameOf = useItemName()
  const { supplied, other } = itemsOf(provider)
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
          <Text size="sm" c={kept < supplied.length ? 'orange' : 'dimmed'}>
            {t.stored(kept, supplied.length)}
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

/** An item by the name it has in the Web API; the whole groups in words. */
function useItemName(): (item: ProfileItem) => string {
  const groups: Partial<Record<string, string>> = useTexts().settings.items
  return (item) => groups[item] ?? item
}

const added = (before: NotStored, after: NotStored, provider: Provider) =>
  (after[provider] ?? []).filter((item) => !(before[provider] ?? []).includes(item))
