import { Anchor, TextInput } from '@mantine/core'
import { Link, useLocation } from 'wouter'
import { useIsOperator } from '../admin/permissions.ts'
import { mutate, useRead } from '../admin/queries.ts'
import { DataTable } from '../parts/data-table.tsx'
import { DateTime } from '../parts/date-time.tsx'
import { FormDialog } from '../parts/form-dialog.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { NameField } from '../parts/name-field.tsx'
import { Page } from '../parts/page.tsx'
import { paths } from '../shell/paths.ts'
import { useTexts } from '../texts/index.tsx'
import { useValidators } from './validators.ts'

/** The member's accounts. Operators can create accounts. */
export function AccountsPage() {
  const { accounts: t, shell, common } = useTexts()
  const query = useRead('listAccounts', {})
  const isOperator = useIsOperator()
  return (
    <Page title={shell.accounts} about={t.about} actions={isOperator && <CreateAccount />}>
      <Loaded of={query}>
        {({ accounts }) => (
          <DataTable
            label={shell.accounts}
            rows={accounts}
            name={({ account }) => account}
            empty={isOperator ? t.empty_operator : t.empty}
            columns={[
              {
                title: common.name,
                cell: ({ account, name }) => (
                  <Anchor component={Link} href={paths.account(account)} fw={500}>
                    {name}
                  </Anchor>
                ),
              },
              { title: t.account, cell: ({ account }) => account },
              { title: common.created, cell: ({ created_at }) => <DateTime at={created_at} /> },
            ]}
          />
        )}
      </Loaded>
    </Page>
  )
}

function CreateAccount() {
  const { accounts: t } = useTexts()
  const [, navigate] = useLocation()
  const check = useValidators()
  return (
    <FormDialog
      label={t.create}
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
