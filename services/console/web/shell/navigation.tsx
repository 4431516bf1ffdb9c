import { NavLink, Stack, Text } from '@mantine/core'
import { type Icon, IconArrowLeft } from '@tabler/icons-react'
import { useId } from 'react'
import { Link, useLocation } from 'wouter'
import { useTexts } from '../texts/index.tsx'
import { useCurrentLocation } from './current-location.ts'
import { type PageGroup, pathOfPage } from './page-list.ts'
import { paths } from './paths.ts'
import { useVisiblePages } from './visible-pages.ts'

/** Links to the pages of the level that is open, and to the level above it. */
export function Navigation() {
  const { shell: t } = useTexts()
  const { account, site } = useCurrentLocation()
  const { groups, path } = useVisiblePages()
  return (
    <Stack gap="xs">
      {account && site && <UpLink to={paths.account(account.account)} label={account.name} />}
      {account && !site && <UpLink to={paths.accounts} label={t.all_accounts} />}
      {groups.map((group) => (
        <PageLinks key={group.title} group={group} path={path} />
      ))}
    </Stack>
  )
}

/** Leads to the level above. */
function UpLink({ to, label }: { to: string; label: string }) {
  return (
    <NavLink
      component={Link}
      href={to}
      label={label}
      c="dimmed"
      className="page-link"
      leftSection={<IconArrowLeft size={18} />}
    />
  )
}

function PageLinks({ group: { title, pages }, path }: { group: PageGroup; path: string }) {
  const { shell: t } = useTexts()
  const id = useId()
  return (
    <section {...(title === null ? {} : { 'aria-labelledby': id })}>
      {title !== null && (
        <Text id={id} size="xs" fw={600} c="dimmed" px="sm" pb={2}>
          {t[title]}
        </Text>
      )}
      {pages.map((page) => (
        <PageLink
          key={page.section}
          to={pathOfPage({ path }, page)}
          label={t[page.label]}
          icon={page.icon}
          exact={page.section === ''}
        />
      ))}
    </section>
  )
}

interface PageLinkProps {
  readonly to: string
  readonly label: string
  readonly icon: Icon
  /** Marked as current only on this page, not on its subpages. */
  readonly exact: boolean
}

function PageLink({ to, label, icon: PageIcon, exact }: PageLinkProps) {
  const [location] = useLocation()
  const isCurrent = location === to || (!exact && location.startsWith(`${to}/`))
  return (
    <NavLink
      component={Link}
      href={to}
      label={label}
      className="page-link"
      leftSection={<PageIcon size={18} />}
      active={isCurrent}
      aria-current={isCurrent ? 'page' : undefined}
    />
  )
}
