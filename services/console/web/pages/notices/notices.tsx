import { Alert, Anchor } from '@mantine/core'
import { Link, useLocation } from 'wouter'
import { mutate, useRead } from '../../admin/queries.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Page } from '../../parts/page.tsx'
import { DataTable } from '../../parts/table/data-table.tsx'
import { EmptyList } from '../../parts/table/empty-list.tsx'
import { paths } from '../../shell/paths.ts'
import { useLanguage, useTexts } from '../../texts/index.tsx'
import { ChannelFields } from './channel-fields.tsx'
import { ChannelState } from './channel-state.tsx'
import { newChannel, parseChannel, useChannelValidators } from './channel-values.ts'
import { TargetFields } from './target-fields.tsx'

const refreshMs = 10_000

/** The channels for notices of an account, with their state. */
export function NoticesPage({ account }: { account: string }) {
  const { notices: t, common, shell } = useTexts('notices')
  const query = useRead('listNoticeChannels', { account }, { intervalMs: refreshMs })
  const hasEmail = query.data?.email_available ?? false
  return (
    <Page title={t.title} about={t.about} actions={query.data && <AddChannel account={account} hasEmail={hasEmail} />}>
      <Loaded of={query}>
        {({ channels }) => (
          <>
            {!hasEmail && <Alert color="gray">{t.no_email}</Alert>}
            <DataTable
              label={t.title}
              keep="notices"
              rows={channels}
              name={({ channel_id }) => channel_id}
              empty={<EmptyList action={t.add}>{t.empty}</EmptyList>}
              columns={[
                {
                  title: common.name,
                  value: ({ name }) => name,
                  cell: ({ channel_id, name }) => (
                    <Anchor component={Link} href={paths.noticeChannel(account, channel_id)} fw={500}>
                      {name}
                    </Anchor>
                  ),
                },
                { title: t.address, value: ({ email_address, chat_host }) => email_address ?? chat_host },
                { title: shell.sites, value: ({ sites }) => sites?.join(', ') ?? t.all_sites },
                { title: t.state, cell: (channel) => <ChannelState of={channel} /> },
                { title: t.last_delivered, time: ({ last_delivered_at }) => last_delivered_at, relative: true },
                { title: t.waiting, number: true, value: ({ waiting }) => waiting },
              ]}
            />
          </>
        )}
      </Loaded>
    </Page>
  )
}

function AddChannel({ account, hasEmail }: { account: string; hasEmail: boolean }) {
  const { notices: t } = useTexts('notices')
  const { language } = useLanguage()
  const [, navigate] = useLocation()
  return (
    <FormDialog
      documented="notice_channel"
      label={t.add}
      isAction
      size="lg"
      initial={newChannel(hasEmail, language)}
      validate={useChannelValidators()}
      fields={(form) => (
        <>
          <TargetFields form={form} hasEmail={hasEmail} />
          <ChannelFields form={form} account={account} />
        </>
      )}
      save={async ({ target, email_address, chat_url, ...values }) => {
        const address = target === 'email' ? { email_address } : { chat_url }
        const { channel_id } = await mutate('addNoticeChannel', { account, ...parseChannel(values), ...address })
        navigate(paths.noticeChannel(account, channel_id))
        return undefined
      }}
    />
  )
}
