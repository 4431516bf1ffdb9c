import { noticeKinds } from 'virtual:contract/notices'
import type { NoticeChannel, NoticeKind } from '../../admin/types.ts'
import { useTexts } from '../../texts/index.tsx'
import { useValidators } from '../validators.ts'

/** The settings of a channel in a form. */
export interface ChannelValues extends Record<string, unknown> {
  name: string
  kinds: NoticeKind[]
  /** None: all. */
  sites: string[]
  language: NoticeChannel['language']
  time_zone: string
  /** Empty: no quiet hours. */
  quiet_from: string
  quiet_to: string
}

export interface NewChannelValues extends ChannelValues {
  target: 'email' | 'chat'
  email_address: string
  chat_url: string
}

export function toChannelValues(channel: NoticeChannel): ChannelValues {
  const { name, kinds, sites, language, time_zone, quiet_from, quiet_to } = channel
  const texts = { quiet_from: quiet_from ?? '', quiet_to: quiet_to ?? '' }
  return { name, kinds, sites: sites ?? [], language, time_zone, ...texts }
}

export function newChannel(hasEmail: boolean, language: NoticeChannel['language']): NewChannelValues {
  return {
    target: hasEmail ? 'email' : 'chat',
    email_address: '',
    chat_url: '',
    name: '',
    kinds: [...noticeKinds],
    sites: [],
    language,
    time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    quiet_from: '',
    quiet_to: '',
  }
}

export function parseChannel({ name, kinds, sites, language, time_zone, quiet_from, quiet_to }: ChannelValues) {
  return {
    name,
    kinds,
    sites: sites.length === 0 ? null : sites,
    language,
    time_zone,
    quiet_from: quiet_from === '' ? null : quiet_from,
    quiet_to: quiet_to === '' ? null : quiet_to,
  }
}

export function useChannelValidators() {
  const { notices: t } = useTexts('notices')
  const check = useValidators()
  return {
    name: check.title,
    kinds: (kinds: readonly NoticeKind[]) => (kinds.length === 0 ? t.some_kind : null),
    email_address: (text: string, { target }: Partial<NewChannelValues>) =>
      target === 'email' ? check.some(text) : null,
    chat_url: (text: string, { target }: Partial<NewChannelValues>) => (target === 'chat' ? check.some(text) : null),
  }
}
