import { Alert, Button, Group, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconArrowMerge } from '@tabler/icons-react'
import { useState } from 'react'
import { call } from '../../admin/call.ts'
import { useHasRole } from '../../admin/permissions.ts'
import { mutate } from '../../admin/queries.ts'
import type { AdminOutput, User } from '../../admin/types.ts'
import { useAction } from '../../admin/use-action.ts'
import { DateTime } from '../../parts/date-time.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { FaultAlert } from '../../parts/fault-alert.tsx'
import { Section } from '../../parts/page.tsx'
import { useNameProvider } from '../../parts/site-providers.ts'
import { useTexts } from '../../texts/index.tsx'
import { ConsentTable } from './consents.tsx'
import { MetadataParts } from './metadata.tsx'
import { ProfileTable } from './profile-table.tsx'
import type { UserReference } from './user-actions.tsx'

type Preview = AdminOutput<'previewMerge'>

/** Merges another user into this one, after a preview. */
export function MergeUsers({ name }: { name: UserReference }) {
  const { users: t, common } = useTexts('users')
  const hasRole = useHasRole(name)
  const [opened, dialog] = useDisclosure()
  const [source, setSource] = useState('')
  const [preview, setPreview] = useState<Preview>()
  const previewing = useAction(async () => setPreview(await call('previewMerge', { ...name, source: source.trim() })))
  const merging = useAction(async () => {
    await mutate('mergeUsers', { ...name, source: source.trim() })
    close()
  })
  if (!hasRole('owner')) return null
  // An invalid identifier is treated like an unknown one.
  const isUnknown = previewing.fault?.fault === 'not_found' || previewing.fault?.fault === 'invalid_request'
  const fault = merging.fault ?? (isUnknown ? null : previewing.fault)

  function close() {
    dialog.close()
    setSource('')
    setPreview(undefined)
    previewing.reset()
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
              previewing.run()
            }}
          >
            <Group align="flex-start">
              <TextInput
                label={t.merge_source}
                value={source}
                onChange={(event) => {
                  setSource(event.currentTarget.value)
                  setPreview(undefined)
                  previewing.reset()
                }}
                error={isUnknown && t.merge_unknown}
                required
                maxLength={40}
                style={{ flex: 1 }}
                styles={{ input: { fontFamily: 'monospace' } }}
                data-autofocus
              />
              <Button
                type="submit"
                variant="default"
                mt={25}
                loading={previewing.isBusy}
                disabled={source.trim() === ''}
              >
                {t.merge_preview}
              </Button>
            </Group>
          </form>
          {fault && <FaultAlert fault={fault} />}
          {preview && <MergePreview preview={preview} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {common.cancel}
            </Button>
            <Button color="red" disabled={!preview?.possible} loading={merging.isBusy} onClick={() => merging.run()}>
              {t.merge_submit}
            </Button>
          </Group>
        </Stack>
      </Dialog>
    </>
  )
}

function MergePreview({ preview: { possible, reason, before, after } }: { preview: Preview }) {
  const { users: t, common } = useTexts('users')
  const nameProvider = useNameProvider()
  if (!possible)
    return (
      <Alert color="red" title={t.merge_impossible}>
        {reason}
      </Alert>
    )
  return (
    <Stack role="status">
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        <UserSummary title={t.merge_destination} user={before.destination} />
        <UserSummary title={t.merge_deleted} user={before.source} />
        <UserSummary title={t.merge_after} user={after.user} />
      </SimpleGrid>
      <Section title={t.links}>
        <Text size="sm">{after.links.map(({ provider }) => nameProvider(provider)).join(', ') || common.none}</Text>
      </Section>
      <Section title={t.merge_profile}>
        <ProfileTable detail={{ profile: after.profile, by_provider: {} }} />
      </Section>
      {after.consents && (
        <Section title={t.merge_consents}>
          <ConsentTable consents={after.consents} />
        </Section>
      )}
      {after.metadata && (
        <Section title={t.merge_metadata}>
          <MetadataParts parts={after.metadata} />
        </Section>
      )}
    </Stack>
  )
}

function UserSummary({ title, user }: { title: string; user: User }) {
  const { users: t, common } = useTexts('users')
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
        {common.created}: <DateTime at={user.created_at} />
      </Text>
      <Text size="sm">
        {t.logins}: {user.login_count}
      </Text>
    </Stack>
  )
}
