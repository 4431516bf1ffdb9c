import { Code, SimpleGrid, Stack, Text, Textarea } from '@mantine/core'
import { call } from '../../admin/call.ts'
import { useHasRole } from '../../admin/permissions.ts'
import { mutate, useRead } from '../../admin/queries.ts'
import type { AdminOutput } from '../../admin/types.ts'
import { ChangeForm } from '../../parts/change-form.tsx'
import { findJsonProblem } from '../../parts/json-problem.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Section } from '../../parts/page.tsx'
import { useDocumentedForm } from '../../parts/use-documented-form.tsx'
import { useTexts } from '../../texts/index.tsx'
import type { UserReference } from './user-actions.tsx'

type Metadata = AdminOutput<'readUserMetadata'>
type Parts = Pick<Metadata, 'user_metadata' | 'app_metadata'>
type MetadataValues = Record<keyof Parts, string>

/** Both parts of a user's metadata, which editors can change. */
export function UserMetadata({ name }: { name: UserReference }) {
  const { users: t } = useTexts('users')
  const hasRole = useHasRole(name)
  const query = useRead('readUserMetadata', name, { personal: true })
  return (
    <Section title={t.metadata} about={t.metadata_about}>
      <Loaded of={query}>
        {(metadata) =>
          hasRole('editor') ? <MetadataForm name={name} metadata={metadata} /> : <MetadataParts parts={metadata} />
        }
      </Loaded>
    </Section>
  )
}

/** Both parts, side by side. */
export function MetadataParts({ parts }: { parts: Parts }) {
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }}>
      {Object.entries(toValues(parts)).map(([part, text]) => (
        <Stack key={part} gap={4} miw={0}>
          <Text size="sm" fw={500}>
            {part}
          </Text>
          <Code block mah={320} style={{ overflow: 'auto' }} tabIndex={0} aria-label={part}>
            {text}
          </Code>
        </Stack>
      ))}
    </SimpleGrid>
  )
}

function MetadataForm({ name, metadata }: { name: UserReference; metadata: Metadata }) {
  const { users: t } = useTexts('users')
  const validate = (text: string) => {
    const problem = text.trim() === '' ? undefined : findJsonProblem(text)
    return problem === undefined ? null : t.metadata_problems[problem.problem]({ line: problem.line })
  }
  const form = useDocumentedForm<MetadataValues>(undefined, {
    initialValues: toValues(metadata),
    validate: { user_metadata: validate, app_metadata: validate },
  })
  const labels = { user_metadata: 'user_metadata', app_metadata: 'app_metadata' }
  const field = { autosize: true, minRows: 4, maxRows: 20, spellCheck: false, styles }
  return (
    <ChangeForm
      form={form}
      labels={labels}
      revision={metadata.revision}
      reread={async () => toVersion(await call('readUserMetadata', name))}
      save={async (values, revision) => {
        const change = { ...name, ...parseValues(values), replace: true }
        return toVersion(await mutate('changeUserMetadata', change, { revision }))
      }}
    >
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Textarea
          label={labels.user_metadata}
          description={t.user_metadata_hint}
          {...field}
          {...form.getInputProps('user_metadata')}
        />
        <Textarea
          label={labels.app_metadata}
          description={t.app_metadata_hint}
          {...field}
          {...form.getInputProps('app_metadata')}
        />
      </SimpleGrid>
    </ChangeForm>
  )
}

const styles = { input: { fontFamily: 'monospace' } }

function toValues({ user_metadata, app_metadata }: Parts): MetadataValues {
  return { user_metadata: formatPart(user_metadata), app_metadata: formatPart(app_metadata) }
}

function formatPart(part: object): string {
  return JSON.stringify(part, null, 2)
}

/** The texts are valid JSON, or empty. */
function parseValues({ user_metadata, app_metadata }: MetadataValues): Parts {
  return { user_metadata: parsePart(user_metadata), app_metadata: parsePart(app_metadata) }
}

function parsePart(text: string) {
  return JSON.parse(text.trim() === '' ? '{}' : text)
}

const toVersion = (metadata: Metadata) => ({ values: toValues(metadata), revision: metadata.revision })
