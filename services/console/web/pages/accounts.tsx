import { Anchor, TextInput } from '@mantine/core'
import { Link, useLocation } from 'wouter'
import { useOperator } from '../admin/may.ts'
import { act, useRead } from '../admin/queries.ts'
import { FormDialog } from '../parts/form-dialog.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Moment } from '../parts/moment.tsx'
import { NameField } from '../parts/name-field.tsx'
import { Page } from '../parts/page.tsx'
import { Rows } from '../parts/rows.tsx'
import { placeOf } from '../shell/places.ts'
import { useTexts } from '../texts/index.tsx'
import { useChecks } from './checks.ts'

/** The accounts one may see; where an operator makes new ones. */
export function Accounts() {
  const { accounts: t, shell, common } = useTexts()
  const query = useRead('listAccounts', {})
  const operator = useOperator()
  return (
    <Page title={shell.accounts} about={t.about} actions={operator && <CreateAccount />}>
      <Loaded of={query}>
        {({ accounts }) => (
          <Rows
            label={shell.accounts}
            rows={accounts}
            name={({ account }) => account}
            empty={operator ? t.empty_operator : t.empty}
            columns={[
              {
                title: common.name,
                cell: ({ account, name }) => (
                  <Anchor component={Link} href={placeOf.account(account)} fw={500}>
                    {name}
                  </Anchor>
                ),
              },
              { title: t.account, cell: ({ account }) => account },
              { title: common.created, cell: ({ created_at }) => <Moment at={created_at} /> },
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
  const check = useChecks()
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
        await act('createAccount', values, { leave: () => navigate(placeOf.account(values.account)) })
      }}
    />
  )
}
