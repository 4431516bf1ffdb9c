import { Combobox, Group, Kbd, Modal, ScrollArea, Text, TextInput, useCombobox } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { useTexts } from '../../texts/index.tsx'
import { findEntries, type SearchEntry, type SearchGroup, searchGroups } from './search-entry.ts'
import { useSearchEntries } from './use-search-entries.ts'

/** Entries of one group that are listed. */
const mostOfGroup = 6
/** Pause in typing after which sites and users are looked up. */
const pauseMs = 200

/** Groups that are not listed before a text is entered. */
const onlySearched: readonly SearchGroup[] = ['users', 'settings', 'documentation']

/** Finds pages, sites, clients, providers, users, actions, settings and documentation, and opens the one that is chosen. */
export function SearchDialog({ opened, close }: { opened: boolean; close: () => void }) {
  const { shell: t } = useTexts()
  return (
    <Modal.Root opened={opened} onClose={close} size="lg" yOffset="10dvh">
      <Modal.Overlay />
      <Modal.Content aria-label={t.search}>
        <Modal.Body p={0}>
          <Search close={close} />
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}

/** Mounted only while the dialog is open, so that the text is discarded. */
function Search({ close }: { close: () => void }) {
  const { shell: t } = useTexts()
  const [, navigate] = useLocation()
  const [text, setText] = useState('')
  const [searched] = useDebouncedValue(text.trim(), pauseMs)
  const entries = useSearchEntries(searched)
  const listed =
    text.trim() === '' ? entries.filter(({ group }) => !onlySearched.includes(group)) : findEntries(entries, text)
  const groups = searchGroups
    .map((group) => ({ group, own: listed.filter((entry) => entry.group === group).slice(0, mostOfGroup) }))
    .filter(({ own }) => own.length > 0)
  const combobox = useCombobox({ opened: true })
  // biome-ignore lint/correctness/useExhaustiveDependencies: Enter opens the first entry of a new list
  useEffect(() => void combobox.selectFirstOption(), [text, listed.length])

  return (
    <Combobox
      store={combobox}
      onOptionSubmit={(to) => {
        close()
        if (to.startsWith('/')) navigate(to)
        else window.open(to, '_blank', 'noreferrer')
      }}
    >
      <Combobox.EventsTarget>
        <TextInput
          size="md"
          variant="unstyled"
          px="sm"
          data-autofocus
          aria-label={t.search}
          placeholder={t.search_hint}
          leftSection={<IconSearch size={18} />}
          rightSection={<Kbd size="xs">Esc</Kbd>}
          rightSectionWidth={48}
          autoComplete="off"
          maxLength={100}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      </Combobox.EventsTarget>
      <Combobox.Options aria-label={t.search} className="search-results">
        <ScrollArea.Autosize mah="60dvh" type="auto">
          {groups.map(({ group, own }) => (
            <Combobox.Group key={group} label={t.search_groups[group]}>
              {own.map((entry) => (
                <Entry key={`${entry.group} ${entry.to}`} of={entry} />
              ))}
            </Combobox.Group>
          ))}
          {groups.length === 0 && <Combobox.Empty>{t.search_none}</Combobox.Empty>}
        </ScrollArea.Autosize>
      </Combobox.Options>
    </Combobox>
  )
}

function Entry({ of: { label, detail, icon: EntryIcon, to } }: { of: SearchEntry }) {
  return (
    <Combobox.Option value={to}>
      <Group gap="sm" wrap="nowrap">
        <EntryIcon size={18} style={{ flex: 'none' }} aria-hidden />
        <Text span size="sm" truncate>
          {label}
        </Text>
        {detail !== undefined && (
          <Text span size="xs" c="dimmed" truncate ml="auto">
            {detail}
          </Text>
        )}
      </Group>
    </Combobox.Option>
  )
}
