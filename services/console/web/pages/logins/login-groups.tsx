import { Anchor } from '@mantine/core'
import { Link } from 'wouter'
import type { AdminOutput, SiteReference } from '../../admin/types.ts'
import { useNameProvider } from '../../parts/site-providers.ts'
import { DataTable } from '../../parts/table/data-table.tsx'
import { paths } from '../../shell/paths.ts'
import { useFormat } from '../../texts/format.ts'
import { useTexts } from '../../texts/index.tsx'
import { ClientName, useNameClient } from './client-name.tsx'
import { ResultWithCause } from './login-result.tsx'

type LogGroup = AdminOutput<'groupSiteLogins'>['groups'][number]

interface Props {
  readonly site: SiteReference
  readonly groups: readonly LogGroup[]
  readonly empty: string
}

/** Logins with the same cause, as one row with their number. */
export function LoginGroups({ site, groups, empty }: Props) {
  const { logins: t } = useTexts('logins')
  const nameProvider = useNameProvider()
  const format = useFormat()
  const nameClient = useNameClient(site)
  return (
    <DataTable
      label={t.views.groups}
      keep="login-groups"
      rows={groups}
      name={({ result, reason, provider, client_id }) => [result, reason, provider, client_id].join(' ')}
      empty={empty}
      columns={[
        {
          title: t.cause,
          value: ({ reason }) => reason,
          cell: ({ result, reason }) => <ResultWithCause result={result} reason={reason} />,
        },
        {
          title: t.count,
          number: true,
          value: ({ count }) => count,
          cell: (group) => (
            <Anchor component={Link} href={paths.logins(site, toQuery(group))} size="sm">
              {format.number(group.count)}
            </Anchor>
          ),
        },
        { title: t.provider, value: ({ provider }) => provider && nameProvider(provider) },
        {
          title: t.client,
          value: ({ client_id }) => client_id && nameClient(client_id),
          cell: ({ client_id }) => client_id && <ClientName name={nameClient(client_id)} clientId={client_id} />,
        },
        { title: t.last, time: ({ last_at }) => last_at, relative: true },
        {
          title: null,
          cell: ({ newest_login_id }) => (
            <Anchor
              component={Link}
              href={paths.login(site, newest_login_id)}
              size="sm"
              style={{ whiteSpace: 'nowrap' }}
            >
              {t.show_newest}
            </Anchor>
          ),
        },
      ]}
    />
  )
}

/** The filters that select the logins of a group, as the address has them. */
export function toQuery(group: Pick<LogGroup, 'result' | 'reason' | 'provider' | 'client_id'>) {
  const { result, reason, provider, client_id } = group
  return { result, reason, ...(provider === null ? {} : { provider }), ...(client_id === null ? {} : { client_id }) }
}
