import type { ReactNode } from 'react'
import type { AdminOutput } from '../../admin/types.ts'
import { DangerButton } from '../../parts/danger-button.tsx'
import { DataTable } from '../../parts/table/data-table.tsx'
import { useTexts } from '../../texts/index.tsx'

/** A token with a role in an account, or an operator token. */
type Token = AdminOutput<'listTokens'>['tokens'][number] | AdminOutput<'listOperatorTokens'>['tokens'][number]

interface Props {
  readonly label: string
  readonly tokens: readonly Token[]
  readonly empty: ReactNode
  readonly revoke: (tokenId: string) => Promise<unknown>
}

export function TokenTable({ label, tokens, empty, revoke }: Props) {
  const { tokens: t, common } = useTexts('tokens')
  const role = { title: common.role, cell: (token: Token) => 'role' in token && common.roles[token.role] }
  const sites = {
    title: t.sites,
    value: (token: Token) => ('sites' in token ? (token.sites?.join(', ') ?? t.all_sites) : null),
  }
  return (
    <DataTable<Token>
      label={label}
      keep="tokens"
      rows={tokens}
      name={({ token_id }) => token_id}
      empty={empty}
      bulk={(selected) => (
        <DangerButton
          label={t.revoke_several({ count: selected.length })}
          title={t.revoke_several_title({ count: selected.length })}
          warning={t.revoke_warning}
          change={async () => {
            for (const { token_id } of selected) await revoke(token_id)
          }}
        />
      )}
      columns={[
        { title: common.name, value: ({ name }) => name },
        ...(tokens.some((token) => 'role' in token) ? [role, sites] : []),
        { title: common.created, time: ({ created_at }) => created_at },
        { title: t.expires, time: ({ expires_at }) => expires_at, relative: true },
        { title: common.last_used, time: ({ last_used_at }) => last_used_at, relative: true },
        {
          title: null,
          number: true,
          cell: ({ token_id, name }) => (
            <DangerButton
              label={t.revoke}
              target={name}
              title={t.revoke_title({ name })}
              warning={t.revoke_warning}
              change={() => revoke(token_id)}
            />
          ),
        },
      ]}
    />
  )
}
