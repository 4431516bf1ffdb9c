import { descriptions, providers } from 'virtual:contract/providers'
import { Accordion, Alert, Loader } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { call } from '../../admin/call.ts'
import { Cancelled } from '../../admin/fault.ts'
import { mutate, useRead } from '../../admin/queries.ts'
import type { ProfileItem, Provider, Site } from '../../admin/types.ts'
import { ChangeForm } from '../../parts/change-form.tsx'
import { Section } from '../../parts/page.tsx'
import { useTexts } from '../../texts/index.tsx'
import { nameProvider } from '../../texts/provider-names.ts'
import { DeletionDialog, type RemovedItems } from './deletion-dialog.tsx'
import { StoredItems } from './stored-items.tsx'

const refreshMs = 5_000
const providersWithProfile = providers.filter((provider) => descriptions[provider].supplies.length > 0)

/** Fields that are not stored, by provider. */
type Values = { [P in Provider]?: ProfileItem[] }

/** Stored profile fields by provider. Clearing a field deletes its stored values after a confirmation. */
export function ProfileStorage({ site, readonly }: { site: Site; readonly: boolean }) {
  const { settings: t, common } = useTexts()
  const { account, site_id } = site
  const form = useForm<Values>({ initialValues: toVersion(site).values })
  const [question, setQuestion] = useState<PendingDeletion>()

  const save = async (values: Values, revision: number) => {
    const removed = findRemovedItems(form.getInitialValues(), values)
    if (removed.length > 0) await new Promise<void>((resolve, reject) => setQuestion({ removed, resolve, reject }))
    const profileNotStored = Object.fromEntries(Object.entries(values).filter(([, items]) => (items?.length ?? 0) > 0))
    return toVersion(
      await mutate('changeSite', { account, site_id, profile_not_stored: profileNotStored }, { revision }),
    )
  }
  const labels = Object.fromEntries(
    providersWithProfile.map((one) => [one, t.not_stored({ provider: nameProvider(one, common) })]),
  )

  return (
    <Section title={t.storage} about={t.storage_about}>
      <DeletionProgress site={site} />
      <ChangeForm
        form={form}
        save={save}
        revision={site.revision}
        reread={async () => toVersion(await call('readSite', { account, site_id }))}
        labels={labels}
        readonly={readonly}
      >
        <Accordion variant="separated">
          {providersWithProfile.map((provider) => (
            <StoredItems
              key={provider}
              provider={provider}
              not_stored={form.values[provider] ?? []}
              disabled={readonly}
              onChange={(items) => form.setValues({ [provider]: items })}
            />
          ))}
        </Accordion>
      </ChangeForm>
      <DeletionDialog
        removed={question?.removed}
        onCancel={() => {
          question?.reject(new Cancelled())
          setQuestion(undefined)
        }}
        onConfirm={() => {
          question?.resolve()
          setQuestion(undefined)
        }}
      />
    </Section>
  )
}

interface PendingDeletion {
  readonly removed: readonly RemovedItems[]
  readonly resolve: () => void
  readonly reject: (reason: Cancelled) => void
}

/** Progress of the deletion of cleared fields. */
function DeletionProgress({ site: { account, site_id } }: { site: Site }) {
  const { settings: t } = useTexts()
  const { data } = useRead('readFieldDeletion', { account, site_id }, { intervalMs: refreshMs })
  if (!data?.deletion) return null
  return (
    <Alert color="gray" icon={<Loader size="xs" />} role="status">
      {t.deletion_progress({ users: data.deletion.users_checked })}
    </Alert>
  )
}

/** Providers without exclusions have an empty list, so that selecting all fields again is not a change. */
function toVersion({ profile_not_stored, revision }: Site): { values: Values; revision: number } {
  const values = Object.fromEntries(providers.map((provider) => [provider, profile_not_stored[provider] ?? []]))
  return { values, revision }
}

function findRemovedItems(before: Values, after: Values): RemovedItems[] {
  const lost = providersWithProfile.map((provider) => ({
    provider,
    items: (after[provider] ?? []).filter((item) => !before[provider]?.includes(item)),
  }))
  return lost.filter(({ items }) => items.length > 0)
}
