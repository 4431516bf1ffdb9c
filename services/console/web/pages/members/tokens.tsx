import { NumberInput } from '@mantine/core'
import { useHasRole } from '../../admin/permissions.ts'
import { mutate, useRead } from '../../admin/queries.ts'
import type { Role } from '../../admin/types.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { NameField } from '../../parts/name-field.tsx'
import { Page } from '../../parts/page.tsx'
import { SitesChoice } from '../../parts/sites-choice.tsx'
import { EmptyList } from '../../parts/table/empty-list.tsx'
import { useTexts } from '../../texts/index.tsx'
import { useValidators } from '../validators.ts'
import { RoleChoice } from './role-choice.tsx'
import { TokenTable } from './token-table.tsx'

const defaultDays = 90
const maxDays = 366

/** Tokens for automation with the Admin API. */
export function TokensPage({ account }: { account: string }) {
  const { tokens: t } = useTexts('tokens')
  const hasRole = useHasRole({ account })
  const query = useRead('listTokens', { account })
  return (
    <Page title={t.title} about={t.about} actions={hasRole('owner') && <IssueToken account={account} />}>
      <Loaded of={query}>
        {({ tokens }) => (
          <TokenTable
            label={t.title}
            tokens={tokens}
            empty={<EmptyList action={hasRole('owner') && t.issue}>{t.empty}</EmptyList>}
            revoke={(tokenId) => mutate('revokeToken', { account, token_id: tokenId })}
          />
        )}
      </Loaded>
    </Page>
  )
}

function IssueToken({ account }: { account: string }) {
  const { tokens: t } = useTexts('tokens')
  const check = useValidators()
  return (
    <FormDialog<{ name: string; role: Role; sites: string[]; expires_in_days: number | string }>
      documented="token"
      label={t.issue}
      isAction
      initial={{ name: '', role: 'viewer', sites: [], expires_in_days: defaultDays }}
      validate={{ name: check.title, expires_in_days: check.whole(1, maxDays) }}
      fields={(form) => (
        <>
          <NameField description={t.name_hint} {...form.getInputProps('name')} />
          <RoleChoice {...form.getInputProps('role')} />
          <SitesChoice account={account} label={t.sites} description={t.sites_hint} {...form.getInputProps('sites')} />
          <NumberInput
            label={t.expires_in_days}
            min={1}
            max={maxDays}
            allowDecimal={false}
            required
            maw={160}
            {...form.getInputProps('expires_in_days')}
          />
        </>
      )}
      save={async ({ sites, expires_in_days, ...values }) => {
        const { token } = await mutate('issueToken', {
          account,
          ...values,
          sites: sites.length === 0 ? null : sites,
          expires_in_days: Number(expires_in_days),
        })
        return { title: t.issued, advice: t.issued_advice, values: [{ label: t.token, value: token }] }
      }}
    />
  )
}
