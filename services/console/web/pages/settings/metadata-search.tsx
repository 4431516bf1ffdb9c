import { Alert, Loader, Textarea } from '@mantine/core'
import { call } from '../../admin/call.ts'
import { mutate, useRead } from '../../admin/queries.ts'
import type { AdminOutput, SiteReference } from '../../admin/types.ts'
import { ChangeForm } from '../../parts/change-form.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Section } from '../../parts/page.tsx'
import { useDocumentedForm } from '../../parts/use-documented-form.tsx'
import { useTexts } from '../../texts/index.tsx'
import { splitLines } from '../validators.ts'

type MetadataSearch = AdminOutput<'readMetadataSearch'>

const refreshMs = 2_000

/** One path on each line. */
interface Values extends Record<string, unknown> {
  paths: string
}

function toVersion({ paths, revision }: MetadataSearch): { values: Values; revision: number } {
  return { values: { paths: paths.join('\n') }, revision }
}

/** By which metadata users can be filtered. */
export function MetadataSearchSettings({ site, readonly }: { site: SiteReference; readonly: boolean }) {
  const { settings: t } = useTexts('settings')
  const query = useRead('readMetadataSearch', site, { intervalMs: (read) => (read?.indexing ? refreshMs : false) })
  return (
    <Section title={t.headings.metadata_search} about={t.metadata_search_about}>
      <Loaded of={query}>
        {(search) => (
          <>
            {search.indexing !== null && (
              <Alert color="gray" icon={<Loader size="xs" />} role="status">
                {t.metadata_search_progress({ users: search.indexing.users_indexed })}
              </Alert>
            )}
            <MetadataSearchForm site={site} search={search} readonly={readonly} />
          </>
        )}
      </Loaded>
    </Section>
  )
}

interface FormProps {
  readonly site: SiteReference
  readonly search: MetadataSearch
  readonly readonly: boolean
}

function MetadataSearchForm({ site, search, readonly }: FormProps) {
  const { settings: t } = useTexts('settings')
  const { account, site_id } = site
  const form = useDocumentedForm<Values>('metadata_search', { initialValues: toVersion(search).values })
  return (
    <ChangeForm
      form={form}
      save={async (values, revision) =>
        toVersion(
          await mutate('changeMetadataSearch', { account, site_id, paths: splitLines(values.paths) }, { revision }),
        )
      }
      revision={search.revision}
      reread={async () => toVersion(await call('readMetadataSearch', { account, site_id }))}
      labels={{ paths: t.metadata_search_paths }}
      readonly={readonly}
    >
      <Textarea
        label={t.metadata_search_paths}
        description={t.metadata_search_paths_hint}
        autosize
        minRows={2}
        maxRows={10}
        spellCheck={false}
        disabled={readonly}
        {...form.getInputProps('paths')}
      />
    </ChangeForm>
  )
}
