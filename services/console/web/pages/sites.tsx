import { Anchor, TextInput } from '@mantine/core'
import { Link, useLocation } from 'wouter'
import { useMay } from '../admin/may.ts'
import { act, useRead } from '../admin/queries.ts'
import type { Account, Site } from '../admin/types.ts'
import { FormDialog } from '../parts/form-dialog.tsx'
import { KindBadge } from '../parts/kind-badge.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Moment } from '../parts/moment.tsx'
import { NameField } from '../parts/name-field.tsx'
import { Page } from '../parts/page.tsx'
import { Rows } from '../parts/rows.tsx'
import { placeOf } from '../shell/places.ts'
import { useTexts } from '../texts/index.tsx'
import { useChecks } from './checks.ts'
import { KindChoice } from './kind-choice.tsx'

/** The sites of an account. */
export function Sites({ account }: { account: string }) {
  const { sites: t, shell, common } = useTexts()
  const query = useRead('listSites', { account })
  const accounts = useRead('listAccounts', {})
  const may = useMay(account)
  const thisAccount = accounts.data?.accounts.find((one) => one.account === account)
  return (
    <Page
      title={t.of({ account: thisAccount?.name ?? account })}
      about={t.about}
      actions={
        <>
          {thisAccount && may('owner') && <RenameAccount account={thisAccount} />}
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
                cell: ({ kind }) => <KindBadge kind={kind} />,
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
  const { sites: t } = useTexts()
  const [, navigate] = useLocation()
  const check = useChecks()
  type Values = { name: string; site_id: string; kind: Site['kind'] }
  return (
    <FormDialog<Values>
      label={t.create}
      initial={{ name: '', site_id: '', kind: 'development' }}
      validate={{ name: check.title, site_id: check.slug }}
      fields={(form) => (
        <>
          <NameField description={t.name_hint} {...form.getInputProps('name')} />
          <TextInput label={t.site_id} description={t.site_id_hint} required {...form.getInputProps('site_id')} />
          <KindChoice {...form.getInputProps('kind')} />
        </>
      )}
      save={async (values) => {
        const made = { account, ...values }
        await act('createSite', made, { leave: () => navigate(placeOf.site(made)) })
      }}
    />
  )
}

function RenameAccount({ account: { account, name, revision } }: { account: Account }) {
  const { sites: t, common } = useTexts()
  return (
    <FormDialog
      label={t.rename}
      submit={common.save}
      button={{ variant: 'default', leftSection: null }}
      initial={{ name }}
      validate={{ name: useChecks().title }}
      fields={(form) => <NameField {...form.getInputProps('name')} />}
      save={async (values) => {
        await act('changeAccount', { account, ...values }, { revision })
      }}
    />
  )
}
