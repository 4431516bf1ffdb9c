import { Alert, Button, Group, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconArrowMerge } from '@tabler/icons-react'
import { useState } from 'react'
import { call } from '../../admin/call.ts'
import { useMay } from '../../admin/may.ts'
import { act } from '../../admin/queries.ts'
import type { Output, User } from '../../admin/types.ts'
import { useAct } from '../../admin/use-act.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Failure } from '../../parts/failure.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Section } from '../../parts/page.tsx'
import { useTexts } from '../../texts/index.tsx'
import { ProfileTable } from './profile-table.tsx'
import type { UserName } from './removals.tsx'

type Preview = Output<'previewMerge'>

/** Merges another user into this one, after showing what will be. */
export function Merge({ name }: { name: UserName }) {
  const { users: t, common } = useTexts()
  const may = useMay(name.account)
  const [opened, dialog] = useDisclosure()
  const [source, setSource] = useState('')
  const [preview, setPreview] = useState<Preview>()
  const looking = useAct(async () => setPreview(await call('previewMerge', { ...name, source: source.trim() })))
  const merging = useAct(async () => {
    await act('mergeUsers', { ...name, source: source.trim() })
    close()
  })
  if (!may('owner')) return null
  // What cannot be an identifier is nobody's, like one that nobody has.
  const unknown = looking.fault?.fault === 'not_found' || looking.fault?.fault === 'invalid_request'
  const fault = merging.fault ?? (unknown ? null : looking.fault)

  function close() {
    dialog.close()
    setSource('')
    setPreview(undefined)
    looking.reset()
    merging.reset()
  }

  return (
    <>
      <Button variant="default" leftSection={<IconArrowMerge size={18} />} onClick={dialog.open}>
        {t.merge}
      </Button>
      <Dialog opened={opened} onClose={close} title={t.merge_title} size="xl">
        <Stack>
          <Text size="sm">{t.merge_about}</Text>
          <form
            onSubmit={(event) => {
              event.preventDefault()
              merging.reset()
              looking.run()
            }}
          >
            <Group align="flex-start">
              <TextInput
                label={t.merge_source}
                value={source}
                onChange={(event) => {
                  setSource(event.currentTarget.value)
                  setPreview(undefined)
                  looking.reset()
                }}
                error={unknown && t.merge_unknown}
                required
                maxLength={40}
                style={{ flex: 1 }}
                styles={{ input: { fontFamily: 'monospace' } }}
                data-autofocus
              />
              <Button type="submit" variant="default" mt={25} loading={looking.busy} disabled={source.trim() === ''}>
                {t.merge_preview}
              </Button>
            </Group>
          </form>
          {fault && <Failure fault={fault} />}
          {preview && <Previewed preview={preview} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {common.cancel}
            </Button>
            <Button color="red" disabled={!preview?.possible} loading={merging.busy} onClick={() => merging.run()}>
              {t.merge_do}
            </Button>
          </Group>
        </Stack>
      </Dialog>
    </>
  )
}

function Previewed({ preview: { possible, reason, before, after } }: { preview: Preview }) {
  const { users: t, common } = useTexts()
  if (!possible)
    return (
      <Alert color="red" title={t.merge_impossible}>
        {reason}
      </Alert>
    )
  return (
    <Stack role="status">
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        <Summary title={t.merge_kept} user={before.destination} />
        <Summary title={t.merge_gone} user={before.source} />
        <Summary title={t.merge_after} user={after.user} />
      </SimpleGrid>
      <Section title={t.links}>
        <Text size="sm">{after.links.map(({ provider }) => common.providers[provider]).join(', ') || common.none}</Text>
      </Section>
      <Section title={t.merge_profile}>
        <ProfileTable detail={{ profile: after.profile, by_provider: {} }} />
      </Section>
    </Stack>
  )
}

function Summary({ title, user }: { title: string; user: User }) {
  const { users: t, common } = useTexts()
  return (
    <Stack gap={2}>
      <Text fw={600} size="sm">
        {title}
      </Text>
      <Text size="xs" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
        {user.identifier}
      </Text>
      <Text size="sm">
        {t.primary_key}: {user.primary_key ?? common.none}
      </Text>
      <Text size="sm">
        {common.created}: <Moment at={user.created_at} />
      </Text>
      <Text size="sm">
        {t.logins}: {user.login_count}
      </Text>
    </Stack>
  )
}
