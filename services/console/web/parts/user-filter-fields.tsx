import { Group, Select, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { AdminInput, Provider } from '../admin/types.ts'
import { useTexts } from '../texts/index.tsx'
import { useNameProvider, useSiteProviders } from './site-providers.ts'

type UserFilter = Omit<AdminInput<'previewBulkChange'>, 'account' | 'site_id'>

/** Values of the inputs. Days are `YYYY-MM-DD`, or empty. */
export interface UserFilterValues extends Record<string, unknown> {
  created_since: string
  created_until: string
  last_login_until: string
  provider: Provider | null
  mapped: NonNullable<UserFilter['mapped']> | null
  blocked: NonNullable<UserFilter['blocked']> | null
}

export const allUsers: UserFilterValues = {
  created_since: '',
  created_until: '',
  last_login_until: '',
  provider: null,
  mapped: null,
  blocked: null,
}

const days = ['created_since', 'created_until', 'last_login_until'] as const

/** The conditions of a filter, without those that are not set. */
export function toUserFilter(values: UserFilterValues): UserFilter {
  const { provider, mapped, blocked } = values
  const times = days.flatMap((name) => (values[name] === '' ? [] : [[name, `${values[name]}T00:00:00Z`]]))
  return {
    ...Object.fromEntries(times),
    ...(provider === null ? {} : { provider }),
    ...(mapped === null ? {} : { mapped }),
    ...(blocked === null ? {} : { blocked }),
  }
}

/** The inputs for which users something is done. */
export function UserFilterFields<V extends UserFilterValues>({ form }: { form: UseFormReturnType<V> }) {
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
        <TextInput type="date" label={t.last_login_until} {...form.getInputProps('last_login_until')} />
        <Select
          label={t.provider}
          placeholder={users.mapped_any}
          data={providers.map((value) => ({ value, label: nameProvider(value) }))}
          clearable
          {...form.getInputProps('provider')}
        />
      </Group>
      <Group grow align="flex-end">
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
          data={(['blocked_only', 'not_blocked_only'] as const).map((value) => ({ value, label: t.blocked[value] }))}
          clearable
          {...form.getInputProps('blocked')}
        />
      </Group>
    </>
  )
}
