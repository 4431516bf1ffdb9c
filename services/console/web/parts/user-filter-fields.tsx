import { userStates } from 'virtual:contract'
import { Group, Select, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { AdminInput, Provider, SiteReference } from '../admin/types.ts'
import { useTexts } from '../texts/index.tsx'
import { isWithoutValue, MetadataConditionFields } from './metadata-condition.tsx'
import { useNameProvider, useSiteProviders } from './site-providers.ts'

type UserFilter = Omit<AdminInput<'previewBulkChange'>, 'account' | 'site_id'>

/** Values of the inputs. Days are `YYYY-MM-DD`, or empty. */
export interface UserFilterValues extends Record<string, unknown> {
  created_since: string
  created_until: string
  last_login_since: string
  last_login_until: string
  provider: Provider | null
  mapped: NonNullable<UserFilter['mapped']> | null
  user_state: NonNullable<UserFilter['user_state']> | null
  /** `path=value`; empty: none. */
  metadata: string
}

export const allUsers: UserFilterValues = {
  created_since: '',
  created_until: '',
  last_login_since: '',
  last_login_until: '',
  provider: null,
  mapped: null,
  user_state: null,
  metadata: '',
}

/** The values of a filter that the address of a page has, by the names of the inputs. */
export function readUserFilter(parameters: URLSearchParams, providers: readonly Provider[]): UserFilterValues {
  const readDay = (name: string) =>
    /^\d{4}-\d{2}-\d{2}$/.test(parameters.get(name) ?? '') ? (parameters.get(name) ?? '') : ''
  const pick = <T extends string>(name: string, values: readonly T[]) =>
    values.find((value) => value === parameters.get(name)) ?? null
  return {
    created_since: readDay('created_since'),
    created_until: readDay('created_until'),
    last_login_since: readDay('last_login_since'),
    last_login_until: readDay('last_login_until'),
    provider: pick('provider', providers),
    mapped: pick('mapped', ['mapped_only', 'not_mapped_only']),
    user_state: pick('user_state', userStates),
    metadata: parameters.get('metadata') ?? '',
  }
}

const days = ['created_since', 'created_until', 'last_login_since', 'last_login_until'] as const

/** The conditions of a filter, without those that are not set. */
export function toUserFilter(values: UserFilterValues): UserFilter {
  const { provider, mapped, user_state, metadata } = values
  const times = days.flatMap((name) => (values[name] === '' ? [] : [[name, `${values[name]}T00:00:00Z`]]))
  return {
    ...Object.fromEntries(times),
    ...(provider === null ? {} : { provider }),
    ...(mapped === null ? {} : { mapped }),
    ...(user_state === null ? {} : { user_state }),
    // Also without a value: the service rejects it, and no condition is lost.
    ...(metadata === '' ? {} : { metadata }),
  }
}

/** The inputs for which users something is done. */
export function UserFilterFields<V extends UserFilterValues>({
  site,
  form,
}: {
  site: SiteReference
  form: UseFormReturnType<V>
}) {
  const { user_filter: t, users } = useTexts('user_filter', 'users')
  const nameProvider = useNameProvider()
  const { all: providers = [] } = useSiteProviders() ?? {}
  return (
    <>
      <Group grow align="flex-end">
        <TextInput type="date" label={t.created_since} {...form.getInputProps('created_since')} />
        <TextInput type="date" label={t.created_until} {...form.getInputProps('created_until')} />
      </Group>
      <Group grow align="flex-end">
        <TextInput type="date" label={t.last_login_since} {...form.getInputProps('last_login_since')} />
        <TextInput type="date" label={t.last_login_until} {...form.getInputProps('last_login_until')} />
      </Group>
      <Group grow align="flex-end">
        <Select
          label={t.provider}
          placeholder={users.mapped_any}
          data={providers.map((value) => ({ value, label: nameProvider(value) }))}
          clearable
          {...form.getInputProps('provider')}
        />
        <Select
          label={users.primary_key}
          placeholder={users.mapped_any}
          data={(['mapped_only', 'not_mapped_only'] as const).map((value) => ({ value, label: users.mapped[value] }))}
          clearable
          {...form.getInputProps('mapped')}
        />
        <Select
          label={users.account_state}
          placeholder={users.state_any}
          data={userStates.map((value) => ({ value, label: users.states[value] }))}
          clearable
          {...form.getInputProps('user_state')}
        />
      </Group>
      <MetadataConditionFields site={site} {...form.getInputProps('metadata')} value={form.values.metadata} />
    </>
  )
}

/** Returns what is wrong with the condition on metadata; null: nothing. */
export function useCheckMetadata(): (condition: string) => string | null {
  const { user_filter: t } = useTexts('user_filter')
  return (condition) => (isWithoutValue(condition) ? t.enter_metadata_value : null)
}
