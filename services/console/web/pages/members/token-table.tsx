import type { AdminOutput } from '../../admin/types.ts'
import { DangerButton } from '../../parts/danger-button.tsx'
import { DataTable } from '../../parts/data-table.tsx'
import { DateTime } from '../../parts/date-time.tsx'
import { useTexts } from '../../texts/index.tsx'

/** A token with a role in an account, or an operator token. */
type Token = AdminOutput<'listTokens'>['tokens'][number] | AdminOutput<'listOperatorTokens'>['tokens'][number]

interface Props {
  readonly label: string
  readonly tokens: readonly Token[]
  readonly revoke: (tokenId: string) => Promise<unknown>
}

export function TokenTable({ label, tokens, revoke }: Props) {
  const { tokens: t, common } = useTexts()
  const role = { title: common.role, cell: (token: Token) => 'role' in token && common.roles[token.role] }
  return (
    <DataTable<Token>
      label={label}
      rows={tokens}
      name={({ token_id }) => token_id}
      empty={t.empty}
      columns={[
        { title: common.name, cell: ({ name }) => name },
        ...(tokens.some((token) => 'role' in token) ? [role] : []),
        { title: common.created, cell: ({ created_at }) => <DateTime at={created_at} /> },
        { title: t.expires, cell: ({ expires_at }) => <DateTime at={expires_at} relative /> },
        { title: common.last_used, cell: ({ last_used_at }) => <DateTime at={last_used_at} relative /> },
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
