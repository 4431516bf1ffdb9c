import { Anchor, TextInput } from '@mantine/core'
import { Link, useLocation } from 'wouter'
import { useIsOperator } from '../admin/permissions.ts'
import { mutate, useRead } from '../admin/queries.ts'
import { FormDialog } from '../parts/form-dialog.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { NameField } from '../parts/name-field.tsx'
import { Page } from '../parts/page.tsx'
import { DataTable } from '../parts/table/data-table.tsx'
import { EmptyList } from '../parts/table/empty-list.tsx'
import { paths } from '../shell/paths.ts'
import { useTexts } from '../texts/index.tsx'
import { useValidators } from './validators.ts'

/** The member's accounts. Operators can create accounts. */
export function AccountsPage() {
  const { accounts: t, shell, common } = useTexts('accounts')
  const query = useRead('listAccounts', {})
  const isOperator = useIsOperator()
  return (
    <Page title={shell.accounts} about={t.about} actions={isOperator && <CreateAccount />}>
      <Loaded of={query}>
        {({ accounts }) => (
          <DataTable
            label={shell.accounts}
            keep="accounts"
            rows={accounts}
            name={({ account }) => account}
            empty={<EmptyList action={isOperator && t.create}>{isOperator ? t.empty_operator : t.empty}</EmptyList>}
            columns={[
              {
                title: common.name,
                value: ({ name }) => name,
                cell: ({ account, name }) => (
                  <Anchor component={Link} href={paths.account(account)} fw={500}>
                    {name}
                  </Anchor>
                ),
              },
              { title: t.account, value: ({ account }) => account },
              { title: common.created, time: ({ created_at }) => created_at },
            ]}
          />
        )}
      </Loaded>
    </Page>
  )
}

function CreateAccount() {
  const { accounts: t } = useTexts('accounts')
  const [, navigate] = useLocation()
  const check = useValidators()
  return (
    <FormDialog
      documented="account"
      label={t.create}
      isAction
      initial={{ name: '', account: '' }}
      validate={{ name: check.title, account: check.slug }}
      fields={(form) => (
        <>
          <NameField description={t.name_hint} {...form.getInputProps('name')} />
          <TextInput label={t.account} description={t.account_hint} required {...form.getInputProps('account')} />
        </>
      )}
      save={async (values) => {
        await mutate('createAccount', values, { beforeRefresh: () => navigate(paths.account(values.account)) })
      }}
    />
  )
}
