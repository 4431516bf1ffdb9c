import { Alert, Button, Group, NativeSelect, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { call } from '../../admin/call.ts'
import { mutate, useRead } from '../../admin/queries.ts'
import type { NoticeChannel } from '../../admin/types.ts'
import { useAction } from '../../admin/use-action.ts'
import { ChangeForm } from '../../parts/change-form.tsx'
import { FaultAlert } from '../../parts/fault-alert.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { RemoveSection } from '../../parts/remove-section.tsx'
import { useDocumentedForm } from '../../parts/use-documented-form.tsx'
import { paths } from '../../shell/paths.ts'
import { useFormat } from '../../texts/format.ts'
import { useTexts } from '../../texts/index.tsx'
import { ChannelFields } from './channel-fields.tsx'
import { ChannelState, useDescribeError } from './channel-state.tsx'
import { type ChannelValues, parseChannel, toChannelValues, useChannelValidators } from './channel-values.ts'
import { SendTestNotice } from './send-test.tsx'

const refreshMs = 10_000

/** The state and settings of a channel for notices. */
export function NoticeChannelPage({ account, channel_id }: { account: string; channel_id: string }) {
  const { notices: t } = useTexts('notices')
  const query = useRead('readNoticeChannel', { account, channel_id }, { intervalMs: refreshMs })
  return (
    <Page
      title={query.data?.name ?? t.one}
      actions={
        query.data && (
          <Group>
            <ChannelState of={query.data} />
            {query.data.confirmed_at !== null && <SendTestNotice account={account} channel={query.data} />}
          </Group>
        )
      }
    >
      <Loaded of={query}>{(channel) => <ChannelDetails account={account} channel={channel} />}</Loaded>
    </Page>
  )
}

interface EditedValues extends ChannelValues {
  /** Empty: the stored one remains. */
  chat_url: string
  chat_format: NoticeChannel['chat_format']
}

const toVersion = (channel: NoticeChannel) => ({
  values: { ...toChannelValues(channel), chat_url: '', chat_format: channel.chat_format },
  revision: channel.revision,
})

function ChannelDetails({ account, channel }: { account: string; channel: NoticeChannel }) {
  const { notices: t, common } = useTexts('notices')
  const [, navigate] = useLocation()
  const { name: validateName, kinds: validateKinds } = useChannelValidators()
  const form = useDocumentedForm<EditedValues>('notice_channel', {
    initialValues: toVersion(channel).values,
    validate: { name: validateName, kinds: validateKinds },
  })
  const key = { account, channel_id: channel.channel_id }
  const labels = {
    name: common.name,
    kinds: t.kinds,
    sites: t.sites,
    language: t.language,
    time_zone: t.time_zone,
    quiet_from: t.quiet_from,
    quiet_to: t.quiet_to,
    chat_format: t.chat_format,
  }
  const save = async ({ chat_url, chat_format, ...values }: EditedValues, revision: number) => {
    const target = chat_format === null ? {} : { chat_format, ...(chat_url.trim() !== '' && { chat_url }) }
    return toVersion(await mutate('changeNoticeChannel', { ...key, ...parseChannel(values), ...target }, { revision }))
  }
  return (
    <>
      <Unconfirmed account={account} channel={channel} />
      <LastError channel={channel} />
      <Section title={t.settings}>
        <ChangeForm
          form={form}
          labels={labels}
          revision={channel.revision}
          reread={async () => toVersion(await call('readNoticeChannel', key))}
          save={save}
          // The earlier URL is not known.
          canUndo={(_, { chat_url }) => chat_url === ''}
        >
          <TextInput label={t.address} value={channel.email_address ?? channel.chat_host ?? ''} readOnly />
          {channel.chat_format !== null && (
            <>
              <TextInput
                label={t.new_chat_url}
                description={t.new_chat_url_hint}
                type="url"
                autoComplete="off"
                {...form.getInputProps('chat_url')}
              />
              <NativeSelect
                label={t.chat_format}
                data={[
                  { value: 'text', label: t.chat_formats.text({ example: '{"text": …}' }) },
                  { value: 'content', label: t.chat_formats.content({ example: '{"content": …}' }) },
                ]}
                {...form.getInputProps('chat_format')}
              />
            </>
          )}
          <ChannelFields form={form} account={account} />
        </ChangeForm>
      </Section>
      <RemoveSection
        label={t.remove}
        about={t.remove_about}
        title={t.remove_title({ name: channel.name })}
        warning={t.remove_warning}
        remove={() =>
          mutate('removeNoticeChannel', key, {
            beforeRefresh: () => navigate(`${paths.account(account)}/notices`, { replace: true }),
          })
        }
      />
    </>
  )
}

function Unconfirmed({ account, channel }: { account: string; channel: NoticeChannel }) {
  const { notices: t } = useTexts('notices')
  const format = useFormat()
  const { channel_id, confirmed_at, confirm_until, email_address } = channel
  const [isResent, setResent] = useState(false)
  const resending = useAction(async () => {
    setResent(false)
    await mutate('resendNoticeConfirmation', { account, channel_id })
    setResent(true)
  })
  if (confirmed_at !== null || confirm_until === null) return null
  return (
    <Alert color="orange" title={t.unconfirmed}>
      <Stack align="flex-start" gap="sm">
        {t.unconfirmed_advice({ address: email_address ?? '', when: format.relative(confirm_until) })}
        <Button variant="default" size="compact-sm" loading={resending.isBusy} onClick={() => resending.run()}>
          {t.resend}
        </Button>
        {resending.fault && <FaultAlert fault={resending.fault} />}
        {isResent && <output>{t.resent}</output>}
      </Stack>
    </Alert>
  )
}

function LastError({ channel }: { channel: NoticeChannel }) {
  const { notices: t } = useTexts('notices')
  const describe = useDescribeError()
  const { last_error, last_status } = channel
  if (last_error === null) return null
  return (
    <Alert color="red" title={t.failed}>
      {describe(last_error, last_status, channel)}
    </Alert>
  )
}
