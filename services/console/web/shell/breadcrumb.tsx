import { Anchor, Box, Group, Text } from '@mantine/core'
import { Link } from 'wouter'
import { KindBadge } from '../parts/kind-badge.tsx'
import { useTexts } from '../texts/index.tsx'
import { useCurrentLocation } from './current-location.ts'
import { findPage, pathOfPage } from './page-list.ts'
import { paths } from './paths.ts'

/** Links to the parents of the current page, with the kind of its site. Pages outside accounts have none. */
export function Breadcrumb() {
  const { shell: t } = useTexts()
  const { account, site, level, section, isDetailPage } = useCurrentLocation()
  if (account === undefined) return null
  const page = findPage(level, section)
  const steps = [
    { to: paths.accounts, label: t.accounts },
    { to: paths.account(account.account), label: account.name },
    ...(site === undefined ? [] : [{ to: paths.site({ ...account, ...site }), label: site.name }]),
    ...(isDetailPage && page !== undefined ? [{ to: pathOfPage(level, page), label: t[page.label] }] : []),
  ]
  const currentPage = isDetailPage || page === undefined ? undefined : t[page.label]
  return (
    <Group component="nav" aria-label={t.breadcrumb} gap="xs" mb="md">
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
