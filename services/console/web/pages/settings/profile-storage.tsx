import { descriptions, providers } from 'virtual:contract/providers'
import { Accordion, Alert, Loader } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { call } from '../../admin/call.ts'
import { Cancelled } from '../../admin/fault.ts'
import { act, useRead } from '../../admin/queries.ts'
import type { ProfileItem, Provider, Site } from '../../admin/types.ts'
import { ChangeForm } from '../../parts/change-form.tsx'
import { Section } from '../../parts/page.tsx'
import { useTexts } from '../../texts/index.tsx'
import { DeletionQuestion, type Lost } from './deletion-question.tsx'
import { StoredItems } from './stored-items.tsx'

const watchedMs = 5_000
const offered = providers.filter((provider) => descriptions[provider].supplies.length > 0)

/** Of each provider, what is not stored. */
type Values = { [P in Provider]?: ProfileItem[] }

/** What is kept of a profile, by provider and item. What is unticked is deleted: the person is told what, and asked. */
export function ProfileStorage({ site, readonly }: { site: Site; readonly: boolean }) {
  const { settings: t, common } = useTexts()
  const { account, site_id } = site
  const form = useForm<Values>({ initialValues: versionOf(site).values })
  const [question, setQuestion] = useState<Question>()

  const save = async (values: Values, revision: number) => {
    const lost = lostBy(form.getInitialValues(), values)
    if (lost.length > 0) await new Promise<void>((agree, refuse) => setQuestion({ lost, agree, refuse }))
    const profileNotStored = Object.fromEntries(Object.entries(values).filter(([, items]) => items.length > 0))
    return versionOf(await act('changeSite', { account, site_id, profile_not_stored: profileNotStored }, { revision }))
  }
  const labels = Object.fromEntries(offered.map((one) => [one, t.not_stored_of({ provider: common.providers[one] })]))

  return (
    <Section title={t.storage} about={t.storage_about}>
      <Clearing site={site} />
      <ChangeForm
        form={form}
        save={save}
        revision={site.revision}
        reread={async () => versionOf(await call('readSite', { account, site_id }))}
        labels={labels}
        readonly={readonly}
      >
        <Accordion variant="separated">
          {offered.map((provider) => (
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
      <DeletionQuestion
        lost={question?.lost}
        onRefuse={() => {
          question?.refuse(new Cancelled())
          setQuestion(undefined)
        }}
        onAgree={() => {
          question?.agree()
          setQuestion(undefined)
        }}
      />
    </Section>
  )
}

interface Question {
  readonly lost: readonly Lost[]
  readonly agree: () => void
  readonly refuse: (reason: Cancelled) => void
}

/** How far the deletion of what is unticked has come. */
function Clearing({ site: { account, site_id } }: { site: Site }) {
  const { settings: t } = useTexts()
  const { data } = useRead('readProfileClearing', { account, site_id }, { everyMs: watchedMs })
  if (!data?.clearing) return null
  return (
    <Alert color="gray" icon={<Loader size="xs" />} role="status">
      {t.clearing({ users: data.clearing.users_looked_at })}
    </Alert>
  )
}

/** A provider of which everything is stored is there with nothing, so that ticking all again is no change. */
function versionOf({ profile_not_stored, revision }: Site): { values: Values; revision: number } {
  const values = Object.fromEntries(providers.map((provider) => [provider, profile_not_stored[provider] ?? []]))
  return { values, revision }
}

function lostBy(before: Values, after: Values): Lost[] {
  const lost = offered.map((provider) => ({
    provider,
    items: (after[provider] ?? []).filter((item) => !before[provider]?.includes(item)),
  }))
  return lost.filter(({ items }) => items.length > 0)
}
