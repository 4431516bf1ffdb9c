import { readFileSync } from 'node:fs'
import { join, matchesGlob } from 'node:path'
import type { DefaultTheme } from 'vitepress'
import { findSitePath, pageFiles, repository } from './site-paths.ts'

interface Page {
  /** Path on the site, such as `use/concepts`. */
  readonly path: string
  readonly title: string
}

interface Group {
  readonly text: string
  /** Globs of pages; the order of the globs is the order of the pages. */
  readonly pages: readonly string[]
  readonly links?: readonly DefaultTheme.SidebarItem[]
  readonly collapsed?: boolean
}

const sections: Readonly<Record<string, readonly Group[]>> = {
  '/use/': [
    { text: 'Get started', pages: ['use/index', 'use/concepts', 'use/first-login', 'use/quick-starts/*'] },
    {
      text: 'Guides',
      pages: [
        'use/openid-provider',
        'use/configured-providers',
        'use/provider-catalog',
        'use/linking',
        'use/native-apps',
        'use/events',
        'use/webhooks',
        'use/friendship',
        'use/blocked-users',
        'use/bulk-changes',
        'use/spreadsheets',
        'use/inactive-users',
        'use/held-data',
        'use/erasure-receipts',
        'use/user-metadata',
        'use/user-deletion',
        'use/guides/*',
      ],
    },
    { text: 'Test', pages: ['use/sandbox', 'use/demo-shop'] },
    {
      text: 'Administration',
      pages: [
        'use/console',
        'use/finding-users',
        'use/member-sign-in',
        'use/logins',
        'use/notices',
        'use/delete-a-site',
        'use/audit-streams',
        'use/hosts',
        'use/look',
        'use/account-page',
        'use/terms-and-consent',
        'use/command-line',
      ],
    },
    {
      text: 'Reference',
      links: [
        { text: 'Web API', link: '/reference/web-api.html', target: '_blank' },
        { text: 'Admin API', link: '/reference/admin-api.html', target: '_blank' },
      ],
      pages: [
        'use/errors',
        'use/admin-api',
        'use/fields',
        'use/providers',
        'use/user-records',
        'use/behavior-and-limits',
      ],
    },
  ],
  '/operate/': [
    {
      text: 'Install',
      pages: [
        'operate/index',
        'operate/first-login-on-kubernetes',
        'operate/install*',
        'operate/chart',
        'operate/image',
        'operate/bus',
        'operate/high-availability',
      ],
    },
    {
      text: 'Change',
      pages: ['operate/upgrade', 'operate/chart-upgrades', 'operate/rollback', 'operate/restore', 'operate/guides/*'],
    },
    { text: 'Keys and secrets', pages: ['operate/keys', 'operate/signing-keys', 'operate/encryption'] },
    {
      text: 'Run',
      pages: [
        'operate/monitoring',
        'operate/traces',
        'operate/capacity',
        'operate/performance',
        'operate/scaling',
        'operate/reliability',
        'operate/fault-report',
        'operate/cluster-report',
        'operate/dependencies',
        'operate/provider-tokens',
        'operate/*',
      ],
    },
    { text: 'Reference', pages: ['operate/settings', 'operate/metrics', 'operate/chart-values'] },
    { text: 'Runbooks', pages: ['operate/runbooks/index', 'operate/runbooks/*'], collapsed: true },
  ],
  '/build/': [
    {
      text: 'Contribute',
      pages: [
        'build/index',
        'build/contributing',
        'build/security',
        'build/adding-a-login-provider',
        'build/adding-an-operation',
        'build/adding-a-setting',
        'build/editing-texts',
      ],
    },
    {
      text: 'Understand',
      pages: [
        'build/architecture',
        'build/glossary',
        'build/write-a-test-that-holds',
        'build/load-testing',
        'build/changelog',
      ],
    },
    { text: 'Services and libraries', pages: ['build/modules/*'], collapsed: true },
    { text: 'Decisions', pages: ['build/decisions/index', 'build/decisions/*'], collapsed: true },
  ],
  '/ja/': [
    {
      text: '使う',
      pages: [
        'ja/index',
        'ja/use/concepts',
        'ja/use/first-login',
        'ja/use/console',
        'ja/use/member-sign-in',
        'ja/use/notices',
        'ja/use/delete-a-site',
        'ja/use/account-page',
        'ja/use/terms-and-consent',
        'ja/use/finding-users',
        'ja/use/blocked-users',
        'ja/use/bulk-changes',
        'ja/use/spreadsheets',
        'ja/use/inactive-users',
        'ja/use/held-data',
        'ja/use/erasure-receipts',
        'ja/use/user-metadata',
        'ja/use/audit-streams',
      ],
    },
  ],
}

/**
 * The navigation of each section. A page's label is its first heading.
 *
 * @throws Error naming pages that no group contains
 */
export function createSidebar(): DefaultTheme.SidebarMulti {
  const remaining = new Map(readPages().map((page) => [page.path, page]))
  const explicit = new Set(Object.values(sections).flatMap((groups) => groups.flatMap(({ pages }) => pages)))
  const take = (glob: string): readonly Page[] => {
    const taken = [...remaining.values()].filter(
      ({ path }) => path === glob || (matchesGlob(path, glob) && !explicit.has(path)),
    )
    for (const { path } of taken) remaining.delete(path)
    return taken
  }
  const sidebar = Object.entries(sections).map(([section, groups]) => [
    section,
    groups.map(({ text, pages, links = [], collapsed }) => ({
      text,
      items: [...links, ...pages.flatMap(take).map(({ path, title }) => ({ text: title, link: linkTo(path) }))],
      ...(collapsed === undefined ? {} : { collapsed }),
    })),
  ])
  remaining.delete('index')
  if (remaining.size > 0)
    throw new Error(`Add these pages to docs/.vitepress/sidebar.ts: ${[...remaining.keys()].join(', ')}`)
  return Object.fromEntries(sidebar)
}

function linkTo(path: string): string {
  return `/${path.replace(/(^|\/)index$/, '$1')}`
}

function readPages(): readonly Page[] {
  return pageFiles.flatMap((file) => {
    const path = findSitePath(file)?.replace(/\.md$/, '')
    const [, heading] = /^# (.*)$/m.exec(readFileSync(join(repository, file), 'utf8')) ?? []
    return path === undefined ? [] : [{ path, title: heading?.replaceAll('`', '') ?? path }]
  })
}
