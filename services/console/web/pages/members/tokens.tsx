import { NumberInput } from '@mantine/core'
import { useMay } from '../../admin/may.ts'
import { act, useRead } from '../../admin/queries.ts'
import type { Role } from '../../admin/types.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { NameField } from '../../parts/name-field.tsx'
import { Page } from '../../parts/page.tsx'
import { useTexts } from '../../texts/index.tsx'
import { useChecks } from '../checks.ts'
import { RoleChoice } from './role-choice.tsx'
import { TokenTable } from './token-table.tsx'

const usualDays = 90
const mostDays = 366

/** Tokens with which programs use the Admin API. */
export function Tokens({ account }: { account: string }) {
  const { tokens: t } = useTexts()
  const may = useMay(account)
  const query = useRead('listTokens', { account })
  return (
    <Page title={t.title} about={t.about} actions={may('owner') && <IssueToken account={account} />}>
      <Loaded of={query}>
        {({ tokens }) => (
          <TokenTable
            label={t.title}
            tokens={tokens}
            revoke={(tokenId) => act('revokeToken', { account, token_id: tokenId })}
          />
        )}
      </Loaded>
    </Page>
  )
}

function IssueToken({ account }: { account: string }) {
  const { tokens: t } = useTexts()
  const check = useChecks()
  return (
    <FormDialog<{ name: string; role: Role; lives_days: number | string }>
      label={t.issue}
      initial={{ name: '', role: 'viewer', lives_days: usualDays }}
      validate={{ name: check.title, lives_days: check.whole(1, mostDays) }}
      fields={(form) => (
        <>
          <NameField description={t.name_hint} {...form.getInputProps('name')} />
          <RoleChoice {...form.getInputProps('role')} />
          <NumberInput
            label={t.lives}
            min={1}
            max={mostDays}
            allowDecimal={false}
            required
            maw={160}
            {...form.getInputProps('lives_days')}
          />
        </>
      )}
      save={async ({ lives_days, ...values }) => {
        const { token } = await act('issueToken', { account, ...values, lives_days: Number(lives_days) })
        return { title: t.issued, advice: t.issued_advice, values: [{ label: t.token, value: token }] }
      }}
    />
  )
}
