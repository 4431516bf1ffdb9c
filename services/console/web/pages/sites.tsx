import { Anchor, TextInput } from '@mantine/core'
import { Link, useLocation } from 'wouter'
import { useHasRole } from '../admin/permissions.ts'
import { mutate, useRead } from '../admin/queries.ts'
import type { Account, Site } from '../admin/types.ts'
import { DataTable } from '../parts/data-table.tsx'
import { DateTime } from '../parts/date-time.tsx'
import { FormDialog } from '../parts/form-dialog.tsx'
import { KindBadge } from '../parts/kind-badge.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { NameField } from '../parts/name-field.tsx'
import { Page } from '../parts/page.tsx'
import { paths } from '../shell/paths.ts'
import { useTexts } from '../texts/index.tsx'
import { KindChoice } from './kind-choice.tsx'
import { useValidators } from './validators.ts'

/** The sites of an account. */
export function SitesPage({ account }: { account: string }) {
  const { sites: t, shell, common } = useTexts()
  const query = useRead('listSites', { account })
  const accounts = useRead('listAccounts', {})
  const hasRole = useHasRole(account)
  const thisAccount = accounts.data?.accounts.find((one) => one.account === account)
  return (
    <Page
      title={t.of({ account: thisAccount?.name ?? account })}
      about={t.about}
      actions={
        <>
          {thisAccount && hasRole('owner') && <RenameAccount account={thisAccount} />}
          {hasRole('editor') && <CreateSite account={account} />}
        </>
      }
    >
      <Loaded of={query}>
        {({ sites }) => (
          <DataTable
            label={shell.sites}
            rows={sites}
            name={({ site_id }) => site_id}
            empty={t.empty}
            columns={[
              {
                title: common.name,
                cell: (site) => (
                  <Anchor component={Link} href={paths.site(site)} fw={500}>
                    {site.name}
                  </Anchor>
                ),
              },
              { title: t.site_id, cell: ({ site_id }) => site_id },
              {
                title: t.kind,
                cell: ({ kind }) => <KindBadge kind={kind} />,
              },
              { title: common.created, cell: ({ created_at }) => <DateTime at={created_at} /> },
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
  const check = useValidators()
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
        const site = { account, ...values }
        await mutate('createSite', site, { beforeRefresh: () => navigate(paths.site(site)) })
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
      validate={{ name: useValidators().title }}
      fields={(form) => <NameField {...form.getInputProps('name')} />}
      save={async (values) => {
        await mutate('changeAccount', { account, ...values }, { revision })
      }}
    />
  )
}
