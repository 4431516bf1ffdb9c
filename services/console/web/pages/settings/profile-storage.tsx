import { Accordion, Alert, Loader } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { call } from '../../admin/call.ts'
import { Cancelled } from '../../admin/fault.ts'
import { mutate, useRead } from '../../admin/queries.ts'
import type { ProfileItem, Provider, Site } from '../../admin/types.ts'
import { ChangeForm } from '../../parts/change-form.tsx'
import { describeBuiltIn } from '../../parts/describe-provider.ts'
import { Section } from '../../parts/page.tsx'
import { useNameProvider, useSiteProviders } from '../../parts/site-providers.ts'
import { useTexts } from '../../texts/index.tsx'
import { DeletionDialog, type RemovedItems } from './deletion-dialog.tsx'
import { StoredItems } from './stored-items.tsx'

const refreshMs = 5_000
const hasProfile = (provider: Provider) => describeBuiltIn(provider)?.supplies.length !== 0

/** Fields that are not stored, by provider. */
type Values = { [P in Provider]?: ProfileItem[] }

/** Stored profile fields by provider. Clearing a field deletes its stored values after a confirmation. */
export function ProfileStorage(props: Omit<Props, 'providers'>) {
  const providers = useSiteProviders()
  return providers && <ProfileStorageForm {...props} providers={providers.all.filter(hasProfile)} />
}

interface Props {
  readonly site: Site
  readonly providers: readonly Provider[]
  readonly readonly: boolean
}

function ProfileStorageForm({ site, providers, readonly }: Props) {
  const { settings: t } = useTexts('settings')
  const nameProvider = useNameProvider()
  const { account, site_id } = site
  const form = useForm<Values>({ initialValues: toVersion(site, providers).values })
  const [question, setQuestion] = useState<PendingDeletion>()

  const save = async (values: Values, revision: number) => {
    const removed = findRemovedItems(form.getInitialValues(), values)
    if (removed.length > 0) await new Promise<void>((resolve, reject) => setQuestion({ removed, resolve, reject }))
    const profileNotStored = Object.fromEntries(Object.entries(values).filter(([, items]) => (items?.length ?? 0) > 0))
    return toVersion(
      await mutate('changeSite', { account, site_id, profile_not_stored: profileNotStored }, { revision }),
      providers,
    )
  }
  const labels = Object.fromEntries(providers.map((one) => [one, t.not_stored({ provider: nameProvider(one) })]))

  return (
    <Section title={t.headings.storage} about={t.storage_about}>
      <DeletionProgress site={site} />
      <ChangeForm
        form={form}
        save={save}
        revision={site.revision}
        reread={async () => toVersion(await call('readSite', { account, site_id }), providers)}
        labels={labels}
        readonly={readonly}
      >
        <Accordion variant="separated">
          {providers.map((provider) => (
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
  const { settings: t } = useTexts('settings')
  const { data } = useRead('readFieldDeletion', { account, site_id }, { intervalMs: refreshMs })
  if (!data?.deletion) return null
  return (
    <Alert color="gray" icon={<Loader size="xs" />} role="status">
      {t.deletion_progress({ users: data.deletion.users_checked })}
    </Alert>
  )
}

/** Providers without exclusions have an empty list, so that selecting all fields again is not a change. */
function toVersion(
  { profile_not_stored, revision }: Site,
  providers: readonly Provider[],
): { values: Values; revision: number } {
  const values = Object.fromEntries(providers.map((provider) => [provider, profile_not_stored[provider] ?? []]))
  return { values, revision }
}

function findRemovedItems(before: Values, after: Values): RemovedItems[] {
  const lost = Object.entries(after).map(([provider, items = []]) => ({
    provider,
    items: items.filter((item) => !before[provider]?.includes(item)),
  }))
  return lost.filter(({ items }) => items.length > 0)
}
