import { Badge } from '@mantine/core'
import type { UserDetail } from '../../admin/types.ts'
import { Moment } from '../../parts/moment.tsx'
import { Rows } from '../../parts/rows.tsx'
import { useTexts } from '../../texts/index.tsx'

type State = UserDetail['credentials'][number]

/** How fresh the tokens of providers are; their values are nobody's to see. */
export function Credentials({ states }: { states: readonly State[] }) {
  const { users: t, common } = useTexts()
  return (
    <Rows
      label={t.credentials}
      rows={states}
      name={({ provider }) => provider}
      empty={t.no_credentials}
      columns={[
        { title: t.provider, cell: ({ provider }) => common.providers[provider] },
        { title: t.state, cell: (state) => <Freshness of={state} /> },
        { title: t.expires, cell: ({ expires_at }) => <Moment at={expires_at} relative /> },
        { title: t.renewable, cell: ({ can_refresh }) => (can_refresh ? common.yes : common.no) },
        { title: t.updated, cell: ({ updated_at }) => <Moment at={updated_at} /> },
      ]}
    />
  )
}

function Freshness({ of: { needs_reauth, expires_at, can_refresh } }: { of: State }) {
  const { users: t } = useTexts()
  const ended = expires_at !== null && Date.parse(expires_at) < Date.now()
  if (needs_reauth || (ended && !can_refresh))
    return (
      <Badge variant="light" color="red">
        {t.needs_login}
      </Badge>
    )
  if (ended)
    return (
      <Badge variant="light" color="yellow">
        {t.renewed_when_used}
      </Badge>
    )
  return (
    <Badge variant="light" color="teal">
      {t.fresh}
    </Badge>
  )
}
