import { Alert, FileInput, Loader, Select, Stack, Text, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useNameProvider, useSiteProviders } from '../../parts/site-providers.ts'
import { DataTable } from '../../parts/table/data-table.tsx'
import { CheckField } from '../../parts/use-documented-form.tsx'
import { useReasonTexts, useTexts } from '../../texts/index.tsx'
import type { FileOptions } from './file-options.ts'
import type { Preview, PreviewUser } from './read-preview.ts'
import { usePreview } from './use-preview.ts'

/** What a form about a file has. */
export interface FileValues extends FileOptions, Record<string, unknown> {
  readonly file: File | null
}

/** The file and how it is read, with its first users as they will be. */
export function FileFields<V extends FileValues>({ form }: { form: UseFormReturnType<V> }) {
  const { imports: t } = useTexts('imports')
  const { file, import_blocked, providers, realm } = form.getValues()
  const read = usePreview(file, { import_blocked, providers, realm })
  const hasRealms = read !== undefined && 'problem' in read && read.problem.name === 'file_of_several_realms'
  return (
    <Stack gap="md">
      <FileInput
        label={t.file}
        description={t.file_hint}
        placeholder={t.file_choose}
        required
        data-autofocus
        {...form.getInputProps('file')}
      />
      {file !== null && read === undefined && <Loader size="sm" />}
      {read !== undefined && 'problem' in read && <Problem of={read.problem} />}
      {(hasRealms || realm !== null) && <TextInput label={t.realm} {...form.getInputProps('realm')} />}
      {read !== undefined && 'preview' in read && <FirstUsers of={read.preview} form={form} />}
    </Stack>
  )
}

function Problem({
  of: { name, parameters },
}: {
  of: Extract<ReturnType<typeof usePreview>, { problem: unknown }>['problem']
}) {
  const { imports: t } = useTexts('imports')
  const translate = useReasonTexts()
  return (
    <Alert color="red" title={t.unreadable} role="alert">
      {translate(name, parameters)}
    </Alert>
  )
}

function FirstUsers<V extends FileValues>({ of, form }: { of: Preview; form: UseFormReturnType<V> }) {
  const { imports: t } = useTexts('imports')
  const nameProvider = useNameProvider()
  const { logins = [] } = useSiteProviders() ?? {}
  const { import_blocked, providers } = form.getValues()
  const chosen = Object.keys(providers).filter((name) => providers[name] !== name)
  const names = [...new Set([...chosen, ...of.unknown.map(({ name }) => name)])]
  const choices = logins.map((value) => ({ value, label: nameProvider(value) }))
  return (
    <>
      <Text size="sm">{t.recognized({ format: of.format })}</Text>
      {names.map((name) => {
        const unknownField = of.unknown.find((one) => one.name === name)
        return (
          <Select
            key={name}
            label={t.provider_of({ name })}
            description={unknownField === undefined ? undefined : t.omitted({ count: unknownField.count })}
            placeholder={t.omit}
            data={choices}
            clearable
            value={providers[name] ?? null}
            onChange={(provider) => {
              const { [name]: _, ...others } = providers
              form.setFieldValue('providers', (provider === null ? others : { ...others, [name]: provider }) as never)
            }}
          />
        )
      })}
      {(of.blocked > 0 || import_blocked) && (
        <CheckField
          label={t.import_blocked}
          description={t.import_blocked_hint}
          {...form.getInputProps('import_blocked', { type: 'checkbox' })}
        />
      )}
      <Text size="sm" fw={600}>
        {t.first_users}
      </Text>
      <DataTable
        label={t.first_users}
        rows={of.users}
        name={({ line }) => String(line)}
        empty={t.no_users}
        columns={[
          { title: t.line, value: ({ line }) => line },
          { title: t.user, cell: (user) => <FirstUser of={user} /> },
          { title: t.accounts, cell: (user) => <Accounts of={user} /> },
        ]}
      />
    </>
  )
}

function FirstUser({ of: { primary_key, name, rejected } }: { of: PreviewUser }) {
  const translate = useReasonTexts()
  if (rejected !== undefined)
    return (
      <Text size="sm" c="red">
        {translate(rejected.name, rejected.parameters)}
      </Text>
    )
  return <Lines of={[name, primary_key].filter((text) => text !== '')} />
}

function Accounts({ of: { accounts, rejected } }: { of: PreviewUser }) {
  const { imports: t } = useTexts('imports')
  const nameProvider = useNameProvider()
  if (rejected !== undefined) return null
  if (accounts.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t.no_account}
      </Text>
    )
  return <Lines of={accounts.map(({ provider, id }) => `${nameProvider(provider)}: ${id}`)} />
}

function Lines({ of }: { of: readonly string[] }) {
  return of.map((line) => (
    <Text key={line} size="sm" style={{ overflowWrap: 'anywhere' }}>
      {line}
    </Text>
  ))
}
