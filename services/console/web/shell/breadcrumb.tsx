import { Anchor, Box, Group, Text } from '@mantine/core'
import { Link } from 'wouter'
import { KindBadge } from '../parts/kind-badge.tsx'
import { useTexts } from '../texts/index.tsx'
import { useCurrentLocation } from './current-location.ts'
import { paths } from './paths.ts'

/** Links to the parents of the current page, with the kind of its site. Pages outside accounts have none. */
export function Breadcrumb() {
  const { shell: t } = useTexts()
  const { account, site, section, isDetailPage } = useCurrentLocation()
  if (account === undefined) return null
  const base = site === undefined ? paths.account(account.account) : paths.site({ ...account, ...site })
  const name = getSectionName(section, site !== undefined, t)
  const steps = [
    { to: paths.accounts, label: t.accounts },
    { to: paths.account(account.account), label: account.name },
    ...(site === undefined ? [] : [{ to: paths.site({ ...account, ...site }), label: site.name }]),
    ...(isDetailPage && name !== undefined ? [{ to: `${base}/${section}`, label: name }] : []),
  ]
  const currentPage = isDetailPage ? undefined : name
  return (
    <Group component="nav" aria-label={t.breadcrumb} gap="xs" mb="md" maw={1120}>
      <Box component="ol" className="breadcrumb">
        {steps.map(({ to, label }) => (
          <li key={to}>
            <Anchor component={Link} href={to} size="sm" c="dimmed">
              {label}
            </Anchor>
          </li>
        ))}
        {currentPage !== undefined && (
          <li>
            <Text span size="sm" aria-current="page">
              {currentPage}
            </Text>
          </li>
        )}
      </Box>
      {site?.kind && <KindBadge kind={site.kind} size="sm" hiddenFrom="md" />}
    </Group>
  )
}

/** The section's name in the navigation; undefined for unknown sections. */
function getSectionName(section: string, ofSite: boolean, t: ReturnType<typeof useTexts>['shell']): string | undefined {
  if (section === '') return ofSite ? t.overview : t.sites
  const names: Readonly<Record<string, string>> = ofSite
    ? {
        clients: t.clients,
        providers: t.providers,
        keys: t.keys,
        addresses: t.addresses,
        users: t.users,
        exports: t.exports,
        imports: t.imports,
        webhooks: t.webhooks,
        hosts: t.hosts,
        look: t.look,
        usage: t.usage,
        settings: t.settings,
      }
    : { members: t.members, tokens: t.tokens, audit: t.audit }
  return names[section]
}
