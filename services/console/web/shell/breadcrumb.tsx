import { Anchor, Box, Group, Text } from '@mantine/core'
import { Link } from 'wouter'
import { KindBadge } from '../parts/kind-badge.tsx'
import { useTexts } from '../texts/index.tsx'
import { usePlaceInView } from './place-in-view.ts'
import { placeOf } from './places.ts'

/** Links to the parents of the current page, with the kind of its site. Pages outside accounts have none. */
export function Breadcrumb() {
  const { shell: t } = useTexts()
  const { account, site, section, belowSection } = usePlaceInView()
  if (account === undefined) return null
  const base = site === undefined ? placeOf.account(account.account) : placeOf.site({ ...account, ...site })
  const name = nameOf(section, site !== undefined, t)
  const steps = [
    { to: placeOf.accounts, label: t.accounts },
    { to: placeOf.account(account.account), label: account.name },
    ...(site === undefined ? [] : [{ to: placeOf.site({ ...account, ...site }), label: site.name }]),
    ...(belowSection && name !== undefined ? [{ to: `${base}/${section}`, label: name }] : []),
  ]
  const here = belowSection ? undefined : name
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
        {here !== undefined && (
          <li>
            <Text span size="sm" aria-current="page">
              {here}
            </Text>
          </li>
        )}
      </Box>
      {site?.kind && <KindBadge kind={site.kind} size="sm" hiddenFrom="md" />}
    </Group>
  )
}

/** The section's name in the navigation; undefined for unknown sections. */
function nameOf(section: string, ofSite: boolean, t: ReturnType<typeof useTexts>['shell']): string | undefined {
  if (section === '') return ofSite ? t.overview : t.sites
  const names: Readonly<Record<string, string>> = ofSite
    ? {
        clients: t.clients,
        providers: t.providers,
        keys: t.keys,
        addresses: t.addresses,
        users: t.users,
        exports: t.exports,
        insight: t.insight,
        settings: t.settings,
      }
    : { members: t.members, tokens: t.tokens, audit: t.audit }
  return names[section]
}
