import { Alert, Anchor, Button, Stack, Text, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'wouter'
import { mutate, useRead } from '../../admin/queries.ts'
import type { SiteReference } from '../../admin/types.ts'
import { useAction } from '../../admin/use-action.ts'
import { FaultAlert } from '../../parts/fault-alert.tsx'
import { Section } from '../../parts/page.tsx'
import { TypedConfirmation } from '../../parts/typed-confirmation.tsx'
import { paths } from '../../shell/paths.ts'
import { useTexts } from '../../texts/index.tsx'

/** Requests the deletion of the site; owners see it. */
export function DeleteSite({ site }: { site: SiteReference }) {
  const { site_deletion: t } = useTexts('site_deletion')
  const [opened, dialog] = useDisclosure()
  const [reason, setReason] = useState('')
  const deletion = useRead('readSiteDeletion', site).data?.deletion
  const request = useAction(async () => {
    const trimmed = reason.trim()
    dialog.close()
    await mutate('requestSiteDeletion', {
      ...site,
      confirm_site_id: site.site_id,
      ...(trimmed === '' ? {} : { reason: trimmed }),
    })
    scrollTo({ top: 0 })
  })
  return (
    <Section title={t.title} about={t.about}>
      <Stack gap="sm" align="flex-start">
        {request.fault && <FaultAlert fault={request.fault} />}
        <Button
          color="red"
          variant="light"
          leftSection={<IconTrash size={16} />}
          disabled={deletion?.state === 'pending'}
          loading={request.isBusy}
          onClick={dialog.open}
        >
          {t.request}
        </Button>
      </Stack>
      <TypedConfirmation
        opened={opened}
        title={t.title}
        word={site.site_id}
        submit={t.request}
        onConfirm={() => request.run()}
        onCancel={dialog.close}
      >
        <Consequences site={site} />
        <TextInput
          label={t.reason}
          maxLength={200}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
      </TypedConfirmation>
    </Section>
  )
}

function Consequences({ site }: { site: SiteReference }) {
  const { site_deletion: t } = useTexts('site_deletion')
  const users = useRead('listUsers', { ...site, limit: 1 }).data?.total ?? undefined
  const clients = useRead('listClients', site).data?.clients
  const keys = useRead('listApiKeys', site).data?.keys
  const active = keys?.filter(({ revoked_at }) => revoked_at === null)
  return (
    <>
      <Alert color="red" icon={<IconTrash />}>
        {users !== undefined && clients && active && (
          <Text size="sm" fw={600}>
            {t.contents({ users, clients: clients.length, keys: active.length })}
          </Text>
        )}
        {t.gone}
      </Alert>
      <Text size="sm">
        {t.export_first}{' '}
        <Anchor component={Link} href={`${paths.site(site)}/exports`} inherit>
          {t.export}
        </Anchor>
      </Text>
      <Text size="sm">{t.remains}</Text>
    </>
  )
}
