import { Badge } from '@mantine/core'
import type { UserDetail } from '../../admin/types.ts'
import { DataTable } from '../../parts/data-table.tsx'
import { DateTime } from '../../parts/date-time.tsx'
import { useNameProvider } from '../../parts/site-providers.ts'
import { useTexts } from '../../texts/index.tsx'

type State = UserDetail['credentials'][number]

/** State of the provider credentials, without token values. */
export function CredentialTable({ states }: { states: readonly State[] }) {
  const { users: t, common } = useTexts()
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
        { title: t.expires, cell: ({ expires_at }) => <DateTime at={expires_at} relative /> },
        { title: t.renewable, cell: ({ can_refresh }) => (can_refresh ? common.yes : common.no) },
        { title: t.updated, cell: ({ updated_at }) => <DateTime at={updated_at} /> },
      ]}
    />
  )
}

function CredentialStatus({ of: { needs_reauth, expires_at, can_refresh } }: { of: State }) {
  const { users: t } = useTexts()
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
