import {
  type Icon,
  IconActivity,
  IconApps,
  IconBell,
  IconBuilding,
  IconChartBar,
  IconDownload,
  IconFileCertificate,
  IconFileCheck,
  IconFingerprint,
  IconHistory,
  IconHome,
  IconKey,
  IconLogin2,
  IconLogs,
  IconNetwork,
  IconPalette,
  IconRobot,
  IconSend,
  IconSettings,
  IconShieldLock,
  IconUpload,
  IconUserCog,
  IconUsers,
  IconUsersGroup,
  IconUsersMinus,
  IconWorld,
  IconWorldWww,
} from '@tabler/icons-react'
import type { Role } from '../admin/types.ts'
import type { Texts, useTexts } from '../texts/index.tsx'

/** Names of the plain texts of the shell. */
type ShellText = { [K in keyof Texts['shell']]: Texts['shell'][K] extends string ? K : never }[keyof Texts['shell']]

/** The texts that name the actions of pages. They are loaded when the search is opened. */
export const actionAreas = [
  'accounts',
  'audit_streams',
  'bulk_changes',
  'clients',
  'exports',
  'imports',
  'keys',
  'members',
  'notices',
  'operators',
  'providers',
  'sites',
  'terms',
  'tokens',
  'webhooks',
] as const
export type ActionTexts = ReturnType<typeof useTexts<(typeof actionAreas)[number]>>

/** A page of a level: of the console, an account or a site. Navigation, breadcrumb, search and routes derive from these lists. */
export interface PageEntry {
  /** Path segment after the level; empty: its first page. */
  readonly section: string
  /** Name of the label in the texts of the shell. */
  readonly label: ShellText
  readonly icon: Icon
  /** Shown to members with this role or a higher one; operators have every role. */
  readonly role?: Role | 'operator'
  /** On a phone, the bar at the bottom has it. */
  readonly often?: true
  /** The most frequent action: the button that opens its dialog. */
  readonly action?: { readonly label: (texts: ActionTexts) => string; readonly role: Role | 'operator' }
}

/** Pages of a site under one heading; the first group has none. */
export interface PageGroup {
  readonly title: ShellText | null
  readonly pages: readonly PageEntry[]
}

/** The page is the same for an account and for the whole installation. */
const auditStreams = (role: 'owner' | 'operator') =>
  ({
    section: 'audit-streams',
    label: 'audit_streams',
    icon: IconSend,
    role,
    action: { label: (t: ActionTexts) => t.audit_streams.create, role },
  }) as const

export const consolePages = [
  {
    title: null,
    pages: [
      {
        section: 'accounts',
        label: 'accounts',
        icon: IconBuilding,
        often: true,
        action: { label: (t) => t.accounts.create, role: 'operator' },
      },
      { section: 'health', label: 'health', icon: IconActivity, often: true },
      {
        section: 'operators',
        label: 'operators',
        icon: IconShieldLock,
        role: 'operator',
        action: { label: (t) => t.operators.invite, role: 'operator' },
      },
      { section: 'audit', label: 'all_audit', icon: IconHistory, role: 'operator' },
      auditStreams('operator'),
    ],
  },
] as const satisfies readonly PageGroup[]

export const accountPages = [
  {
    title: null,
    pages: [
      {
        section: '',
        label: 'sites',
        icon: IconWorld,
        often: true,
        action: { label: (t) => t.sites.create, role: 'editor' },
      },
      {
        section: 'members',
        label: 'members',
        icon: IconUsersGroup,
        role: 'viewer',
        often: true,
        action: { label: (t) => t.members.invite, role: 'owner' },
      },
      { section: 'sign-in', label: 'member_sign_in', icon: IconFingerprint, role: 'owner' },
      {
        section: 'tokens',
        label: 'tokens',
        icon: IconRobot,
        role: 'owner',
        action: { label: (t) => t.tokens.issue, role: 'owner' },
      },
      {
        section: 'notices',
        label: 'notices',
        icon: IconBell,
        role: 'owner',
        action: { label: (t) => t.notices.add, role: 'owner' },
      },
      { section: 'audit', label: 'audit', icon: IconHistory },
      auditStreams('owner'),
    ],
  },
] as const satisfies readonly PageGroup[]

export const sitePages = [
  { title: null, pages: [{ section: '', label: 'overview', icon: IconHome, often: true }] },
  {
    title: 'build',
    pages: [
      {
        section: 'clients',
        label: 'clients',
        icon: IconApps,
        action: { label: (t) => t.clients.create, role: 'editor' },
      },
      {
        section: 'providers',
        label: 'providers',
        icon: IconLogin2,
        action: { label: (t) => t.providers.add, role: 'editor' },
      },
      { section: 'keys', label: 'keys', icon: IconKey, action: { label: (t) => t.keys.issue, role: 'owner' } },
      { section: 'addresses', label: 'addresses', icon: IconNetwork },
      {
        section: 'webhooks',
        label: 'webhooks',
        icon: IconSend,
        action: { label: (t) => t.webhooks.create, role: 'editor' },
      },
      { section: 'hosts', label: 'hosts', icon: IconWorldWww },
      { section: 'look', label: 'look', icon: IconPalette },
      { section: 'account-page', label: 'account_page', icon: IconUserCog },
      {
        section: 'terms',
        label: 'terms',
        icon: IconFileCheck,
        action: { label: (t) => t.terms.add, role: 'editor' },
      },
    ],
  },
  {
    title: 'people',
    pages: [
      { section: 'users', label: 'users', icon: IconUsers, often: true },
      {
        section: 'bulk-changes',
        label: 'bulk_changes',
        icon: IconUsersMinus,
        action: { label: (t) => t.bulk_changes.request, role: 'owner' },
      },
      { section: 'erasures', label: 'erasures', icon: IconFileCertificate, role: 'editor' },
      {
        section: 'imports',
        label: 'imports',
        icon: IconUpload,
        role: 'editor',
        action: { label: (t) => t.imports.start, role: 'owner' },
      },
      {
        section: 'exports',
        label: 'exports',
        icon: IconDownload,
        role: 'editor',
        action: { label: (t) => t.exports.request, role: 'owner' },
      },
    ],
  },
  {
    title: 'monitor',
    pages: [
      { section: 'logins', label: 'logins', icon: IconLogs, often: true },
      { section: 'usage', label: 'usage', icon: IconChartBar, often: true },
      { section: 'audit', label: 'audit', icon: IconHistory },
    ],
  },
  { title: 'manage', pages: [{ section: 'settings', label: 'settings', icon: IconSettings }] },
] as const satisfies readonly PageGroup[]

type SectionOf<Groups extends readonly PageGroup[]> = Groups[number]['pages'][number]['section']
export type AccountSection = SectionOf<typeof accountPages>
export type SiteSection = SectionOf<typeof sitePages>

/** A level of the console: its pages, and the path below which they are. */
export interface Level {
  readonly groups: readonly PageGroup[]
  readonly path: string
}

/** The path of a page of a level. */
export function pathOfPage({ path }: Pick<Level, 'path'>, { section }: Pick<PageEntry, 'section'>): string {
  return section === '' ? path : `${path}/${section}`
}

/** The page of a section of a level; undefined for unknown sections. */
export function findPage({ groups }: Pick<Level, 'groups'>, section: string): PageEntry | undefined {
  return groups.flatMap(({ pages }) => pages).find((page) => page.section === section)
}
