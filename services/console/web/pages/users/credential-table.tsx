import { Badge } from '@mantine/core'
import type { UserDetail } from '../../admin/types.ts'
import { useNameProvider } from '../../parts/site-providers.ts'
import { DataTable } from '../../parts/table/data-table.tsx'
import { useTexts } from '../../texts/index.tsx'

type State = UserDetail['credentials'][number]

/** State of the provider credentials, without token values. */
export function CredentialTable({ states }: { states: readonly State[] }) {
  const { users: t, common } = useTexts('users')
  const nameProvider = useNameProvider()
  return (
    <DataTable
      label={t.credentials}
      rows={states}
      name={({ provider }) => provider}
      empty={t.no_credentials}
      columns={[
        { title: t.provider, cell: ({ provider }) => nameProvider(provider) },
        { title: t.state, cell: (state) => <CredentialStatus of={state} /> },
        { title: t.expires, time: ({ expires_at }) => expires_at, relative: true },
        { title: t.renewable, cell: ({ can_refresh }) => (can_refresh ? common.yes : common.no) },
        { title: t.updated, time: ({ updated_at }) => updated_at },
      ]}
    />
  )
}

function CredentialStatus({ of: { needs_reauth, expires_at, can_refresh } }: { of: State }) {
  const { users: t } = useTexts('users')
  const isExpired = expires_at !== null && Date.parse(expires_at) < Date.now()
  if (needs_reauth || (isExpired && !can_refresh))
    return (
      <Badge variant="light" color="red">
        {t.needs_login}
      </Badge>
    )
  if (isExpired)
    return (
      <Badge variant="light" color="yellow">
        {t.renewed_when_used}
      </Badge>
    )
  return (
    <Badge variant="light" color="teal">
      {t.valid}
    </Badge>
  )
}
