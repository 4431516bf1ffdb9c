import type { BulkChange } from '../../admin/types.ts'
import { useNameProvider } from '../../parts/site-providers.ts'
import { useFormat } from '../../texts/format.ts'
import { useTexts } from '../../texts/index.tsx'

/** Returns a function that describes which users a change is for, by its conditions. */
export function useDescribeUsers(): (change: BulkChange) => string {
  const { bulk_changes: t, user_filter, users } = useTexts('bulk_changes', 'user_filter', 'users')
  const nameProvider = useNameProvider()
  const format = useFormat()
  return ({ selected, provider, mapped, blocked, user_state, metadata, ...times }) => {
    const { created_since, created_until, last_login_since, last_login_until } = times
    if (selected !== null) return t.selected({ count: selected })
    const conditions = [
      created_since && `${user_filter.created_since}: ${format.moment(created_since)}`,
      created_until && `${user_filter.created_until}: ${format.moment(created_until)}`,
      last_login_since && `${user_filter.last_login_since}: ${format.moment(last_login_since)}`,
      last_login_until && `${user_filter.last_login_until}: ${format.moment(last_login_until)}`,
      provider && `${user_filter.provider}: ${nameProvider(provider)}`,
      mapped && `${users.primary_key}: ${users.mapped[mapped]}`,
      user_state && `${users.account_state}: ${users.states[user_state]}`,
      metadata && `${users.metadata}: ${metadata}`,
      blocked && `${users.account_state}: ${user_filter.blocked[blocked]}`,
    ].filter((condition) => condition !== undefined)
    return conditions.length === 0 ? t.all_users : conditions.join('; ')
  }
}
