import { bulkActions } from 'virtual:contract'
import { Alert, Divider, Select, Text, Textarea, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useSearchParams } from 'wouter'
import { mutate, useRead } from '../../admin/queries.ts'
import type { AdminInput, BulkChange, Provider, SiteReference } from '../../admin/types.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { findJsonProblem } from '../../parts/json-problem.ts'
import { isWithoutValue } from '../../parts/metadata-condition.tsx'
import { useNameProvider, useSiteProviders } from '../../parts/site-providers.ts'
import { toUtc } from '../../parts/to-utc.ts'
import {
  allUsers,
  readUserFilter,
  toUserFilter,
  UserFilterFields,
  type UserFilterValues,
  useCheckMetadata,
} from '../../parts/user-filter-fields.tsx'
import { useTexts } from '../../texts/index.tsx'

interface Values extends UserFilterValues {
  action: BulkChange['action']
  block_reason: string
  /** Local times of inputs, or empty. */
  block_until: string
  starts_at: string
  unlinked_provider: Provider | null
  user_metadata: string
  app_metadata: string
}

const initial: Values = {
  ...allUsers,
  action: 'block',
  block_reason: '',
  block_until: '',
  starts_at: '',
  unlinked_provider: null,
  user_metadata: '',
  app_metadata: '',
}

type Request = Omit<AdminInput<'requestBulkChange'>, 'account' | 'site_id'>

/** The fields of the request that the action has. */
function toRequest(values: Values): Request {
  const { action, starts_at } = values
  return {
    action,
    ...toUserFilter(values),
    ...toParameters(values),
    ...(starts_at === '' ? {} : { starts_at: toUtc(starts_at) }),
  }
}

function toParameters(values: Values): Partial<Request> {
  const { action, block_reason, block_until, unlinked_provider } = values
  if (action === 'block')
    return { block_reason: block_reason.trim() || null, block_until: block_until === '' ? null : toUtc(block_until) }
  if (action === 'unlink') return unlinked_provider === null ? {} : { unlinked_provider }
  if (action !== 'change_metadata') return {}
  const parts = (['user_metadata', 'app_metadata'] as const).filter((part) => values[part].trim() !== '')
  return Object.fromEntries(parts.map((part) => [part, JSON.parse(values[part])]))
}

/** Asks for which users and what to do, with the number of users. */
export function RequestBulkChange({ site }: { site: SiteReference }) {
  const { bulk_changes: t, users } = useTexts('bulk_changes', 'users')
  const [parameters] = useSearchParams()
  const checkMetadata = useCheckMetadata()
  const siteProviders = useSiteProviders()
  const findProblem = (text: string) => {
    const problem = text.trim() === '' ? undefined : findJsonProblem(text)
    return problem === undefined ? null : users.metadata_problems[problem.problem]({ line: problem.line })
  }
  const isEmpty = ({ action, user_metadata, app_metadata }: Values) =>
    action === 'change_metadata' && `${user_metadata}${app_metadata}`.trim() === ''
  // Without the providers, a condition of the address would be lost, and the change would be for more users.
  if (siteProviders === undefined && parameters.has('provider')) return null
  return (
    <FormDialog<Values>
      documented="bulk_change"
      label={t.request}
      submit={t.submit}
      size="lg"
      isAction
      initial={{ ...initial, ...readUserFilter(parameters, siteProviders?.all ?? []) }}
      validate={{
        unlinked_provider: (value, { action }) => (action === 'unlink' && value === null ? t.choose_provider : null),
        user_metadata: (text, values) => (isEmpty(values) ? t.enter_metadata : findProblem(text)),
        app_metadata: findProblem,
        metadata: checkMetadata,
      }}
      fields={(form) => (
        <>
          <Select
            label={t.action}
            data={bulkActions.map((value) => ({ value, label: t.actions[value] }))}
            allowDeselect={false}
            data-autofocus
            {...form.getInputProps('action')}
          />
          <ActionFields form={form} />
          <Divider label={t.users} labelPosition="left" />
          <UserFilterFields site={site} form={form} />
          <Divider />
          <TextInput
            type="datetime-local"
            label={t.starts_at}
            description={form.values.action === 'delete' ? t.starts_at_deletion : t.starts_at_hint}
            {...form.getInputProps('starts_at')}
          />
          <UserCount site={site} values={form.values} />
        </>
      )}
      save={async (values) => {
        await mutate('requestBulkChange', { ...site, ...toRequest(values) })
        return undefined
      }}
    />
  )
}

function ActionFields({ form }: { form: UseFormReturnType<Values> }) {
  const { bulk_changes: t, users } = useTexts('bulk_changes', 'users')
  const nameProvider = useNameProvider()
  const { all: providers = [] } = useSiteProviders() ?? {}
  const { action } = form.values
  return (
    <>
      <Text size="sm">{t.abouts[action]}</Text>
      {action === 'block' && (
        <>
          <TextInput
            label={users.block_reason}
            description={users.block_reason_hint}
            maxLength={500}
            {...form.getInputProps('block_reason')}
          />
          <TextInput
            type="datetime-local"
            label={users.block_until}
            description={users.block_until_hint}
            {...form.getInputProps('block_until')}
          />
        </>
      )}
      {action === 'unlink' && (
        <Select
          label={t.unlinked_provider}
          required
          data={providers.map((value) => ({ value, label: nameProvider(value) }))}
          {...form.getInputProps('unlinked_provider')}
        />
      )}
      {action === 'change_metadata' && (
        <>
          <Textarea
            label="user_metadata"
            description={users.user_metadata_hint}
            {...json}
            {...form.getInputProps('user_metadata')}
          />
          <Textarea
            label="app_metadata"
            description={users.app_metadata_hint}
            {...json}
            {...form.getInputProps('app_metadata')}
          />
        </>
      )}
    </>
  )
}

const json = {
  autosize: true,
  minRows: 2,
  maxRows: 10,
  spellCheck: false,
  styles: { input: { fontFamily: 'monospace' } },
}

/** How many users the change is for, as far as is known now. */
function UserCount({ site, values }: { site: SiteReference; values: Values }) {
  const { bulk_changes: t } = useTexts('bulk_changes')
  const enabled = !isWithoutValue(values.metadata)
  const { data } = useRead('previewBulkChange', { ...site, ...toUserFilter(values) }, { keepPrevious: true, enabled })
  if (!enabled) return null
  if (data === undefined) return <Text size="sm">{t.counting}</Text>
  const { users: count, complete } = data
  return (
    <Alert color={values.action === 'delete' && count > 0 ? 'red' : 'gray'} role="status">
      {complete ? t.count({ count }) : t.count_at_least({ count })}
    </Alert>
  )
}
