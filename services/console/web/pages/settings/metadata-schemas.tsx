import { SimpleGrid, Textarea } from '@mantine/core'
import { call } from '../../admin/call.ts'
import { mutate, useRead } from '../../admin/queries.ts'
import type { AdminOutput, SiteReference } from '../../admin/types.ts'
import { ChangeForm } from '../../parts/change-form.tsx'
import { findJsonProblem } from '../../parts/json-problem.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Section } from '../../parts/page.tsx'
import { useDocumentedForm } from '../../parts/use-documented-form.tsx'
import { useTexts } from '../../texts/index.tsx'

type Schemas = AdminOutput<'readMetadataSchemas'>
type SchemaValues = Record<'user_metadata_schema' | 'app_metadata_schema', string>

/** The JSON Schemas for the metadata of the site's users. */
export function SchemaSection({ site: { account, site_id }, readonly }: { site: SiteReference; readonly: boolean }) {
  const { settings: t } = useTexts('settings')
  const site = { account, site_id }
  const query = useRead('readMetadataSchemas', site)
  return (
    <Section title={t.schemas} about={t.schemas_about}>
      <Loaded of={query}>{(schemas) => <SchemaForm site={site} schemas={schemas} readonly={readonly} />}</Loaded>
    </Section>
  )
}

function SchemaForm({ site, schemas, readonly }: { site: SiteReference; schemas: Schemas; readonly: boolean }) {
  const { settings: t } = useTexts('settings')
  const validate = (text: string) => {
    const problem = text.trim() === '' ? undefined : findJsonProblem(text)
    return problem === undefined ? null : t.schema_problems[problem.problem]({ line: problem.line })
  }
  const form = useDocumentedForm<SchemaValues>(undefined, {
    initialValues: toValues(schemas),
    validate: { user_metadata_schema: validate, app_metadata_schema: validate },
  })
  const labels = { user_metadata_schema: t.schema_of_user, app_metadata_schema: t.schema_of_app }
  const field = {
    autosize: true,
    minRows: 3,
    maxRows: 20,
    spellCheck: false,
    styles,
    placeholder: '{ "type": "object" }',
  }
  return (
    <ChangeForm
      form={form}
      labels={labels}
      readonly={readonly}
      revision={schemas.revision}
      reread={async () => toVersion(await call('readMetadataSchemas', site))}
      save={async (values, revision) =>
        toVersion(await mutate('changeMetadataSchemas', { ...site, ...parseValues(values) }, { revision }))
      }
    >
      <SimpleGrid cols={1}>
        <Textarea label={labels.user_metadata_schema} {...field} {...form.getInputProps('user_metadata_schema')} />
        <Textarea label={labels.app_metadata_schema} {...field} {...form.getInputProps('app_metadata_schema')} />
      </SimpleGrid>
    </ChangeForm>
  )
}

const styles = { input: { fontFamily: 'monospace' } }

function toValues({ user_metadata_schema, app_metadata_schema }: Schemas): SchemaValues {
  return { user_metadata_schema: format(user_metadata_schema), app_metadata_schema: format(app_metadata_schema) }
}

function format(schema: object | null): string {
  return schema === null ? '' : JSON.stringify(schema, null, 2)
}

/** The texts are valid JSON, or empty for none. */
function parseValues({ user_metadata_schema, app_metadata_schema }: SchemaValues) {
  return { user_metadata_schema: parse(user_metadata_schema), app_metadata_schema: parse(app_metadata_schema) }
}

function parse(text: string) {
  return text.trim() === '' ? null : JSON.parse(text)
}

const toVersion = (schemas: Schemas) => ({ values: toValues(schemas), revision: schemas.revision })
