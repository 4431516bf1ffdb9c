import { Anchor, Badge, Button, Modal, Radio, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import { Link, useLocation } from 'wouter'
import { useMay } from '../admin/may.ts'
import { act, useRead } from '../admin/queries.ts'
import type { Account } from '../admin/types.ts'
import { AdminForm } from '../parts/admin-form.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Moment } from '../parts/moment.tsx'
import { Page } from '../parts/page.tsx'
import { Rows } from '../parts/rows.tsx'
import { placeOf } from '../shell/places.ts'
import { useTexts } from '../texts/index.tsx'
import { checks } from './checks.ts'

/** The sites of an account. */
export function Sites({ account }: { account: string }) {
  const { sites: t, shell, common } = useTexts()
  const query = useRead('listSites', { account })
  const accounts = useRead('listAccounts', {})
  const may = useMay(account)
  const this_account = accounts.data?.accounts.find((one) => one.account === account)
  return (
    <Page
      title={t.of(this_account?.name ?? account)}
      about={t.about}
      actions={
        <>
          {this_account && may('owner') && <RenameAccount account={this_account} />}
          {may('editor') && <CreateSite account={account} />}
        </>
      }
    >
      <Loaded of={query}>
        {({ sites }) => (
          <Rows
            label={shell.sites}
            rows={sites}
            name={({ site_id }) => site_id}
            empty={t.empty}
            columns={[
              {
                title: common.name,
                cell: (site) => (
                  <Anchor component={Link} href={placeOf.site(site)} fw={500}>
                    {site.name}
                  </Anchor>
                ),
              },
              { title: t.site_id, cell: ({ site_id }) => site_id },
              {
                title: t.kind,
                cell: ({ kind }) => (
                  <Badge variant="light" color={kind === 'production' ? 'cyan' : 'gray'}>
                    {common.kinds[kind]}
                  </Badge>
                ),
              },
              {
                title: t.service_url,
                cell: ({ service_url }) =>
                  service_url && (
                    <Anchor href={service_url} target="_blank" rel="noreferrer" size="sm">
                      {service_url}
                    </Anchor>
                  ),
              },
              { title: common.created, cell: ({ created_at }) => <Moment at={created_at} /> },
            ]}
          />
        )}
      </Loaded>
    </Page>
  )
}

function CreateSite({ account }: { account: string }) {
  const { sites: t, common } = useTexts()
  const [opened, dialog] = useDisclosure()
  const [, navigate] = useLocation()
  const check = checks(common.fields)
  type Values = { name: string; site_id: string; kind: 'development' | 'production'; service_url: string }
  const form = useForm<Values>({
    initialValues: { name: '', site_id: '', kind: 'development', service_url: '' },
    validate: { name: check.title, site_id: check.slug, service_url: check.web_address },
  })
  const save = async ({ service_url, ...values }: Values) => {
    const site = await act('createSite', { account, ...values, service_url: service_url.trim() || null })
    navigate(placeOf.site(site))
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
          <TextInput label={t.site_id} description={t.site_id_hint} required {...form.getInputProps('site_id')} />
          <Radio.Group label={t.kind} {...form.getInputProps('kind')}>
            <Stack gap="xs" mt={6}>
              <Radio value="development" label={common.kinds.development} description={t.development_says} />
              <Radio value="production" label={common.kinds.production} description={t.production_says} />
            </Stack>
          </Radio.Group>
          <TextInput
            label={t.service_url}
            description={t.service_url_hint}
            placeholder="https://www.example.com/"
            {...form.getInputProps('service_url')}
          />
        </AdminForm>
      </Modal>
    </>
  )
}

function RenameAccount({ account: { account, name, revision } }: { account: Account }) {
  const { sites: t, common } = useTexts()
  const [opened, dialog] = useDisclosure()
  const form = useForm({ initialValues: { name }, validate: { name: checks(common.fields).title } })
  const save = async (values: { name: string }) => {
    await act('changeAccount', { account, ...values }, { revision })
    dialog.close()
  }
  return (
    <>
      <Button variant="default" onClick={dialog.open}>
        {t.rename}
      </Button>
      <Modal opened={opened} onClose={dialog.close} title={t.rename} centered>
        <AdminForm form={form} submit={common.save} save={save} cancel={dialog.close}>
          <TextInput label={common.name} required data-autofocus {...form.getInputProps('name')} />
        </AdminForm>
      </Modal>
    </>
  )
}
