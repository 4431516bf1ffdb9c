import { Button, Modal, NumberInput, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { act, useRead } from '../../admin/queries.ts'
import type { Role } from '../../admin/types.ts'
import { AdminForm } from '../../parts/admin-form.tsx'
import { Danger } from '../../parts/danger.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Page } from '../../parts/page.tsx'
import { Rows } from '../../parts/rows.tsx'
import { ToldOnce } from '../../parts/told-once.tsx'
import { useTexts } from '../../texts/index.tsx'
import { checks } from '../checks.ts'
import { RoleChoice } from './role-choice.tsx'

const usual_days = 90
const most_days = 366

/** Tokens with which programs use the Admin API. */
export function Tokens({ account }: { account: string }) {
  const { tokens: t, common } = useTexts()
  const query = useRead('listTokens', { account })
  return (
    <Page title={t.title} about={t.about} actions={<IssueToken account={account} />}>
      <Loaded of={query}>
        {({ tokens }) => (
          <Rows
            label={t.title}
            rows={tokens}
            name={({ token_id }) => token_id}
            empty={t.empty}
            columns={[
              { title: common.name, cell: ({ name }) => name },
              { title: common.role, cell: ({ role }) => common.roles[role] },
              { title: common.created, cell: ({ created_at }) => <Moment at={created_at} /> },
              { title: t.ends, cell: ({ expires_at }) => <Moment at={expires_at} relative /> },
              { title: common.last_used, cell: ({ last_used_at }) => <Moment at={last_used_at} relative /> },
              {
                title: null,
                number: true,
                cell: ({ token_id, name }) => (
                  <Danger
                    label={t.revoke}
                    title={t.revoke_title(name)}
                    warning={t.revoke_warning}
                    change={() => act('revokeToken', { account, token_id })}
                  />
                ),
              },
            ]}
          />
        )}
      </Loaded>
    </Page>
  )
}

function IssueToken({ account }: { account: string }) {
  const { tokens: t, common } = useTexts()
  const [opened, dialog] = useDisclosure()
  const [token, setToken] = useState<string>()
  type Values = { name: string; role: Role; lives_days: number }
  const form = useForm<Values>({
    initialValues: { name: '', role: 'viewer', lives_days: usual_days },
    validate: { name: checks(common.fields).title },
  })
  const save = async (values: Values) => {
    setToken((await act('issueToken', { account, ...values })).token)
    form.reset()
    dialog.close()
  }
  return (
    <>
      <Button leftSection={<IconPlus size={18} />} onClick={dialog.open}>
        {t.issue}
      </Button>
      <Modal opened={opened} onClose={dialog.close} title={t.issue} centered>
        <AdminForm form={form} submit={t.issue} save={save} cancel={dialog.close}>
          <TextInput
            label={common.name}
            description={t.name_hint}
            required
            data-autofocus
            {...form.getInputProps('name')}
          />
          <RoleChoice {...form.getInputProps('role')} />
          <NumberInput
            label={t.lives}
            min={1}
            max={most_days}
            allowDecimal={false}
            required
            maw={160}
            {...form.getInputProps('lives_days')}
          />
        </AdminForm>
      </Modal>
      {token !== undefined && (
        <ToldOnce
          title={t.issued}
          advice={t.issued_advice}
          values={[{ label: t.token, value: token }]}
          onClose={() => setToken(undefined)}
        />
      )}
    </>
  )
}
