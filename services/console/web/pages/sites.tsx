import { Anchor, TextInput } from '@mantine/core'
import { Link, useLocation } from 'wouter'
import { useHasRole } from '../admin/permissions.ts'
import { mutate, useRead } from '../admin/queries.ts'
import type { Account, Site } from '../admin/types.ts'
import { FormDialog } from '../parts/form-dialog.tsx'
import { KindBadge } from '../parts/kind-badge.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { NameField } from '../parts/name-field.tsx'
import { Page } from '../parts/page.tsx'
import { DataTable } from '../parts/table/data-table.tsx'
import { EmptyList } from '../parts/table/empty-list.tsx'
import { paths } from '../shell/paths.ts'
import { useTexts } from '../texts/index.tsx'
import { KindChoice } from './kind-choice.tsx'
import { useValidators } from './validators.ts'

/** The sites of an account. */
export function SitesPage({ account }: { account: string }) {
  const { sites: t, shell, common } = useTexts('sites')
  const query = useRead('listSites', { account })
  const accounts = useRead('listAccounts', {})
  const hasRole = useHasRole({ account })
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
            keep="sites"
            rows={sites}
            name={({ site_id }) => site_id}
            empty={<EmptyList action={hasRole('editor') && t.create}>{t.empty}</EmptyList>}
            columns={[
              {
                title: common.name,
                value: ({ name }) => name,
                cell: (site) => (
                  <Anchor component={Link} href={paths.site(site)} fw={500}>
                    {site.name}
                  </Anchor>
                ),
              },
              { title: t.site_id, value: ({ site_id }) => site_id },
              {
                title: t.kind,
                value: ({ kind }) => kind,
                cell: ({ kind }) => <KindBadge kind={kind} />,
              },
              { title: common.created, time: ({ created_at }) => created_at },
            ]}
          />
        )}
      </Loaded>
    </Page>
  )
}

function CreateSite({ account }: { account: string }) {
  const { sites: t } = useTexts('sites')
  const [, navigate] = useLocation()
  const check = useValidators()
  type Values = { name: string; site_id: string; kind: Site['kind'] }
  return (
    <FormDialog<Values>
      documented="site"
      label={t.create}
      isAction
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
  const { sites: t, common } = useTexts('sites')
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
