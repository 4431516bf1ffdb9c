import { Anchor } from '@mantine/core'
import { Link } from 'wouter'
import type { Login, SiteReference } from '../../admin/types.ts'
import { DateTime } from '../../parts/date-time.tsx'
import { useNameProvider } from '../../parts/site-providers.ts'
import { DataTable } from '../../parts/table/data-table.tsx'
import { paths } from '../../shell/paths.ts'
import { useFormat } from '../../texts/format.ts'
import { useTexts } from '../../texts/index.tsx'
import { ClientName, useNameClient } from './client-name.tsx'
import { ResultWithCause } from './login-result.tsx'

interface Props {
  readonly site: SiteReference
  readonly logins: readonly Login[]
  readonly empty: string
}

/** Logins, newest first. Each leads to its page. */
export function LoginTable({ site, logins, empty }: Props) {
  const { logins: t } = useTexts('logins')
  const nameProvider = useNameProvider()
  const nameClient = useNameClient(site)
  const format = useFormat()
  return (
    <DataTable
      label={t.title}
      keep="logins"
      isPage
      rows={logins}
      name={({ login_id }) => login_id}
      empty={empty}
      columns={[
        {
          title: t.at,
          time: ({ at }) => at,
          cell: ({ login_id, at }) => (
            <Anchor component={Link} href={paths.login(site, login_id)} size="sm">
              <DateTime at={at} seconds />
            </Anchor>
          ),
        },
        {
          title: t.result,
          value: ({ reason }) => reason,
          cell: ({ result, reason }) => <ResultWithCause result={result} reason={reason} />,
        },
        {
          title: t.provider,
          value: ({ provider }) => provider && nameProvider(provider),
        },
        {
          title: t.client,
          value: ({ client_id }) => client_id && nameClient(client_id),
          cell: ({ client_id }) => client_id && <ClientName name={nameClient(client_id)} clientId={client_id} />,
        },
        {
          title: t.user,
          value: ({ identifier }) => identifier,
          cell: ({ identifier }) =>
            identifier !== null && (
              <Anchor component={Link} href={paths.user(site, identifier)} ff="monospace" size="sm" title={identifier}>
                {identifier.slice(0, 8)}…
              </Anchor>
            ),
        },
        { title: t.browser, value: ({ browser }) => browser && t.browsers[browser] },
        ...(logins.some(({ country }) => country !== null)
          ? [{ title: t.country, value: ({ country }: Login) => country }]
          : []),
        {
          title: t.duration,
          number: true,
          value: ({ callback_ms }) => callback_ms,
          cell: ({ callback_ms }) => callback_ms !== null && format.duration(callback_ms),
        },
      ]}
    />
  )
}
