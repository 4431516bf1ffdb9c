import { Eta } from 'eta'
import type { NoticeKind } from '#admin-api'
import { toPlainText } from '../domain/plain-text.ts'
import type { StoredChannel } from '../store/notice-channels.ts'
import type { NoticeDetails, StoredNotice } from '../store/notices.ts'
import { formatKind, noticeTexts } from './texts/texts.ts'

/** A message in the forms of all channels. */
export interface RenderedMessage {
  readonly subject: string
  readonly text: string
  readonly html: string
  /** Plain text without markup and mentions. */
  readonly chat: string
}

/** One part of a message: what happened, what to do, and a link. */
interface Part {
  readonly title: string
  readonly advice: string
  readonly url: string
  readonly link: string
}

type Channel = Pick<StoredChannel, 'account' | 'channel_id' | 'name' | 'language' | 'time_zone'>

/** Renders the notices of a message. The links contain their IDs, so that a repetition can be recognized. */
export function renderNotices(
  channel: Channel,
  notices: readonly Pick<StoredNotice, 'notice_id' | 'account' | 'site_id' | 'kind' | 'details'>[],
  consoleUrl: string,
): RenderedMessage {
  const { language, account } = channel
  const t = noticeTexts[language]
  const parts = notices.map(({ notice_id, site_id, kind, details }) => {
    const { title, advice } = formatKind(language, kind, toValues(channel, details))
    const place = site_id === null ? account : toText(details.site_name ?? site_id, language)
    const base = `${consoleUrl}/accounts/${account}${site_id === null ? '' : `/sites/${site_id}`}`
    const url = `${base}/${pageOf(kind, details)}#notice-${notice_id}`
    return { title: t.about({ place, title }), advice, url, link: t.open }
  })
  const [first, ...others] = parts
  const subject = first !== undefined && others.length === 0 ? first.title : t.several({ count: parts.length, account })
  return renderParts(channel, parts, { subject, consoleUrl })
}

/** Renders the notice that a member sends to try a channel. */
export function renderTest(channel: Channel, consoleUrl: string): RenderedMessage {
  const { language, account } = channel
  const t = noticeTexts[language]
  const url = `${consoleUrl}/accounts/${account}/notices`
  const part = { title: t.test.title, advice: t.test.advice({ account }), url, link: t.open }
  return renderParts(channel, [part], { subject: part.title, consoleUrl })
}

/** Renders the e-mail with the link that confirms an address. It is the only one that an address gets before. */
export function renderConfirmation(
  channel: Channel,
  { token, until, consoleUrl }: { readonly token: string; readonly until: Date; readonly consoleUrl: string },
): RenderedMessage {
  const { language, account } = channel
  const { subject, text, link } = noticeTexts[language].confirmation
  const title = subject({ account })
  const advice = text({ account, until_at: formatTime(channel, until) })
  // In the fragment, the token is in no server log.
  const part = { title, advice, url: `${consoleUrl}/notices/confirm#${token}`, link }
  return { subject: title, text: toTextBlock(part), html: toHtml([part], language, undefined), chat: '' }
}

function renderParts(
  { account, channel_id, name, language }: Channel,
  parts: readonly Part[],
  { subject, consoleUrl }: { readonly subject: string; readonly consoleUrl: string },
): RenderedMessage {
  const t = noticeTexts[language]
  const footer = {
    text: t.footer({ channel: name, account }),
    url: `${consoleUrl}/accounts/${account}/notices/${channel_id}`,
    link: t.change,
  }
  const text = parts.map(toTextBlock).join('\n\n')
  return {
    subject: subject.replaceAll(/\s+/g, ' '),
    text: `${text}\n\n-- \n${footer.text}\n${footer.link}: ${footer.url}\n`,
    html: toHtml(parts, language, footer),
    chat: parts.map(({ title, advice, url }) => [toPlainText(title), toPlainText(advice), url].join('\n')).join('\n\n'),
  }
}

function toTextBlock({ title, advice, url, link }: Part): string {
  return `${title}\n${advice}\n${link}: ${url}`
}

const eta = new Eta({ autoEscape: true })
const template = `<!doctype html>
<html lang="<%= it.language %>">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"></head>
<body style="font-family: sans-serif; font-size: 16px; line-height: 1.5; max-width: 40em; margin: 0 auto; padding: 1em">
<% for (const part of it.parts) { %><h1 style="font-size: 18px; margin: 1em 0 0.25em"><%= part.title %></h1>
<p style="margin: 0.25em 0"><%= part.advice %></p>
<p style="margin: 0.25em 0 1.5em"><a href="<%= part.url %>"><%= part.link %></a></p>
<% } %><% if (it.footer) { %><hr style="border: 0; border-top: 1px solid #999">
<p style="font-size: 13px"><%= it.footer.text %> <a href="<%= it.footer.url %>"><%= it.footer.link %></a></p>
<% } %></body>
</html>
`

function toHtml(
  parts: readonly Part[],
  language: string,
  footer: { readonly text: string; readonly url: string; readonly link: string } | undefined,
): string {
  return eta.renderString(template, { parts, language, footer })
}

/** Times end in `_at` and are shown in the channel's time zone; names of providers are in several languages. */
function toValues(channel: Channel, details: NoticeDetails): Record<string, string | number> {
  return Object.fromEntries(
    Object.entries(details).map(([name, value]) => {
      if (typeof value === 'number') return [name, value]
      const text = toText(value, channel.language)
      return [name, name.endsWith('_at') ? formatTime(channel, new Date(text)) : text]
    }),
  )
}

function toText(value: NoticeDetails[string], language: string): string {
  if (typeof value !== 'object') return String(value)
  return value[language] ?? value.en ?? Object.values(value)[0] ?? ''
}

function formatTime({ language, time_zone }: Pick<Channel, 'language' | 'time_zone'>, at: Date): string {
  const parts = { year: 'numeric', month: 'long', day: 'numeric', hour: '2-digit', minute: '2-digit' } as const
  return new Intl.DateTimeFormat(language, {
    ...parts,
    hourCycle: 'h23',
    timeZone: time_zone,
    timeZoneName: 'short',
  }).format(at)
}

/** The page that solves it, below that of the site or account. */
function pageOf(kind: NoticeKind, details: NoticeDetails): string {
  switch (kind) {
    case 'client_secret_expiring':
      return `providers/${details.provider_token}`
    case 'webhook_failing':
      return `webhooks/${details.endpoint_id}`
    case 'provider_failing':
    case 'limit_near':
      return 'usage'
    case 'api_key_unused':
    case 'api_key_new_network':
      return 'keys'
    case 'member_added':
      return 'members'
    case 'export_ready':
      return 'exports'
    case 'site_deletion_requested':
      return 'settings'
  }
}
