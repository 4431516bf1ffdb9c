import { exportColumns, mostColumns } from 'virtual:contract/exports'
import { PasswordInput, Select, TagsInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useSearchParams } from 'wouter'
import { mutate } from '../../admin/queries.ts'
import type { SiteReference, UserExport } from '../../admin/types.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { useSiteProviders } from '../../parts/site-providers.ts'
import { CheckField } from '../../parts/use-documented-form.tsx'
import {
  allUsers,
  readUserFilter,
  toUserFilter,
  UserFilterFields,
  type UserFilterValues,
  useCheckMetadata,
} from '../../parts/user-filter-fields.tsx'
import { useTexts } from '../../texts/index.tsx'

const minPasswordLength = 12

interface Values extends UserFilterValues {
  format: UserExport['format']
  charset: UserExport['charset']
  password: string
  /** Names in the order of the file; none: the usual ones. */
  columns: string[]
  numbers_as_text: boolean
  with_profile: boolean
  with_credentials: boolean
}

const initial: Values = {
  ...allUsers,
  format: 'csv',
  charset: 'UTF-8',
  password: '',
  columns: [],
  numbers_as_text: true,
  with_profile: false,
  with_credentials: false,
}

/** The fields of the request, without those that do not apply. */
function toRequest({ format, charset, password, columns, with_profile, ...values }: Values) {
  const { numbers_as_text, with_credentials, ...filter } = values
  const isCsv = format === 'csv'
  const hasColumns = isCsv && columns.length > 0
  return {
    format,
    password,
    ...(hasColumns ? { columns } : { with_profile }),
    ...(isCsv ? { charset, numbers_as_text } : { with_credentials }),
    ...toUserFilter(filter),
  }
}

/** Asks what an export contains, and of which users. The address of the page can have its columns and conditions. */
export function RequestExport({ site }: { site: SiteReference }) {
  const { exports: t } = useTexts('exports')
  const [parameters] = useSearchParams()
  const checkMetadata = useCheckMetadata()
  const siteProviders = useSiteProviders()
  // Without the providers, a condition of the address would be lost, and the file would have more users.
  if (siteProviders === undefined && parameters.has('provider')) return null
  const columns = parameters.get('columns')?.split(',') ?? []
  return (
    <FormDialog<Values>
      documented="export"
      label={t.request}
      size="lg"
      isAction
      initial={{ ...initial, ...readUserFilter(parameters, siteProviders?.all ?? []), columns }}
      validate={{
        password: (password) => (password.length < minPasswordLength ? t.password_short : null),
        metadata: checkMetadata,
      }}
      fields={(form) => (
        <>
          <Select
            label={t.format}
            data={(['csv', 'ndjson'] as const).map((value) => ({ value, label: t.formats[value] }))}
            allowDeselect={false}
            {...form.getInputProps('format')}
          />
          <PasswordInput
            label={t.password}
            description={t.password_hint}
            required
            autoComplete="new-password"
            data-autofocus
            {...form.getInputProps('password')}
          />
          {form.values.format === 'csv' && <TableFields form={form} />}
          {(form.values.format === 'ndjson' || form.values.columns.length === 0) && (
            <CheckField
              label={t.with_profile}
              description={t.with_profile_hint}
              {...form.getInputProps('with_profile', { type: 'checkbox' })}
            />
          )}
          {form.values.format === 'ndjson' && (
            <CheckField
              label={t.with_credentials}
              description={t.with_credentials_hint}
              {...form.getInputProps('with_credentials', { type: 'checkbox' })}
            />
          )}
          <UserFilterFields site={site} form={form} />
        </>
      )}
      save={async (values) => {
        await mutate('requestExport', { ...site, ...toRequest(values) })
      }}
    />
  )
}

/** What only a table has. */
function TableFields({ form }: { form: UseFormReturnType<Values> }) {
  const { exports: t } = useTexts('exports')
  const { all: providers = [] } = useSiteProviders() ?? {}
  const { user, state, profile, data } = exportColumns
  return (
    <>
      <TagsInput
        label={t.columns}
        description={t.columns_hint}
        placeholder={form.values.columns.length === 0 ? t.columns_usual : ''}
        data={[
          { group: t.column_groups.user, items: [...user] },
          { group: t.column_groups.accounts, items: providers.map((provider) => `${provider}_id`) },
          { group: t.column_groups.state, items: [...state] },
          { group: t.column_groups.profile, items: [...profile] },
          { group: t.column_groups.data, items: [...data] },
        ]}
        maxTags={mostColumns}
        splitChars={[',', ' ', '\n', '\t']}
        maxDropdownHeight={280}
        clearable
        {...form.getInputProps('columns')}
      />
      <Select
        label={t.charset}
        description={t.charset_hint}
        data={['UTF-8', 'Shift_JIS']}
        allowDeselect={false}
        {...form.getInputProps('charset')}
      />
      <CheckField
        label={t.numbers_as_text}
        description={t.numbers_as_text_hint}
        {...form.getInputProps('numbers_as_text', { type: 'checkbox' })}
      />
    </>
  )
}
