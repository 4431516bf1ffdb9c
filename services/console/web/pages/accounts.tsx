import { Anchor, Button, Modal, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import { Link, useLocation } from 'wouter'
import { useOperator } from '../admin/may.ts'
import { act, useRead } from '../admin/queries.ts'
import { AdminForm } from '../parts/admin-form.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Moment } from '../parts/moment.tsx'
import { Page } from '../parts/page.tsx'
import { Rows } from '../parts/rows.tsx'
import { placeOf } from '../shell/places.ts'
import { useTexts } from '../texts/index.tsx'
import { checks } from './checks.ts'

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
  const { accounts: t, common } = useTexts()
  const [opened, dialog] = useDisclosure()
  const [, navigate] = useLocation()
  const check = checks(common.fields)
  const form = useForm({
    initialValues: { name: '', account: '' },
    validate: { name: check.title, account: check.slug },
  })
  const save = async (values: { name: string; account: string }) => {
    const { account } = await act('createAccount', values)
    navigate(placeOf.account(account))
  }
  return (
    <>
      <Button leftSection={<IconPlus size={18} />} onClick={dialog.open}>
        {t.create}
      </Button>
      <Modal opened={opened} onClose={dialog.close} title={t.create} centered>
        <AdminForm form={form} submit={t.create} save={save} cancel={dialog.close}>
          <TextInput
            label={common.name}
            description={t.name_hint}
            required
            data-autofocus
            {...form.getInputProps('name')}
          />
          <TextInput label={t.account} description={t.account_hint} required {...form.getInputProps('account')} />
        </AdminForm>
      </Modal>
    </>
  )
}
