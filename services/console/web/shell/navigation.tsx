import { NavLink, Text } from '@mantine/core'
import {
  IconActivity,
  IconApps,
  IconBuilding,
  IconChartBar,
  IconDownload,
  IconHistory,
  IconHome,
  IconKey,
  IconLogin2,
  IconNetwork,
  IconPalette,
  IconRobot,
  IconSend,
  IconSettings,
  IconShieldLock,
  IconUpload,
  IconUsers,
  IconUsersGroup,
  IconWorld,
  IconWorldWww,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link, useLocation } from 'wouter'
import { useHasRole, useIsOperator } from '../admin/permissions.ts'
import { useTexts } from '../texts/index.tsx'
import { useCurrentLocation } from './current-location.ts'
import { paths } from './paths.ts'

/** Links to the pages of the console, of the current account, and of the current site. */
export function Navigation() {
  const { shell: t } = useTexts()
  const isOperator = useIsOperator()
  const { account, site } = useCurrentLocation()
  return (
    <>
      <NavigationLink to={paths.accounts} exact icon={<IconBuilding size={18} />} label={t.accounts} />
      <NavigationLink to={paths.health} icon={<IconActivity size={18} />} label={t.health} />
      {isOperator && (
        <>
          <NavigationLink to={paths.operators} icon={<IconShieldLock size={18} />} label={t.operators} />
          <NavigationLink to={paths.allAudit} icon={<IconHistory size={18} />} label={t.all_audit} />
        </>
      )}
      {account && <AccountLinks {...account} />}
      {account && site && <SiteLinks account={account.account} site_id={site.site_id} name={site.name} />}
    </>
  )
}

function AccountLinks({ account, name }: { account: string; name: string }) {
  const { shell: t } = useTexts()
  const hasRole = useHasRole(account)
  const at = paths.account(account)
  return (
    <nav aria-label={name}>
      <Heading>{name}</Heading>
      <NavigationLink to={at} exact icon={<IconWorld size={18} />} label={t.sites} />
      <NavigationLink to={`${at}/members`} icon={<IconUsersGroup size={18} />} label={t.members} />
      {hasRole('owner') && <NavigationLink to={`${at}/tokens`} icon={<IconRobot size={18} />} label={t.tokens} />}
      <NavigationLink to={`${at}/audit`} icon={<IconHistory size={18} />} label={t.audit} />
    </nav>
  )
}

function SiteLinks({ account, site_id, name }: { account: string; site_id: string; name: string }) {
  const { shell: t } = useTexts()
  const hasRole = useHasRole(account)
  const at = paths.site({ account, site_id })
  return (
    <nav aria-label={name}>
      <Heading>{name}</Heading>
      <NavigationLink to={at} exact icon={<IconHome size={18} />} label={t.overview} />
      <NavigationLink to={`${at}/clients`} icon={<IconApps size={18} />} label={t.clients} />
      <NavigationLink to={`${at}/providers`} icon={<IconLogin2 size={18} />} label={t.providers} />
      <NavigationLink to={`${at}/keys`} icon={<IconKey size={18} />} label={t.keys} />
      <NavigationLink to={`${at}/addresses`} icon={<IconNetwork size={18} />} label={t.addresses} />
      <NavigationLink to={`${at}/users`} icon={<IconUsers size={18} />} label={t.users} />
      {hasRole('editor') && <NavigationLink to={`${at}/exports`} icon={<IconDownload size={18} />} label={t.exports} />}
      {hasRole('editor') && <NavigationLink to={`${at}/imports`} icon={<IconUpload size={18} />} label={t.imports} />}
      <NavigationLink to={`${at}/webhooks`} icon={<IconSend size={18} />} label={t.webhooks} />
      <NavigationLink to={`${at}/hosts`} icon={<IconWorldWww size={18} />} label={t.hosts} />
      <NavigationLink to={`${at}/look`} icon={<IconPalette size={18} />} label={t.look} />
      <NavigationLink to={`${at}/usage`} icon={<IconChartBar size={18} />} label={t.usage} />
      <NavigationLink to={`${at}/settings`} icon={<IconSettings size={18} />} label={t.settings} />
    </nav>
  )
}

function Heading({ children }: { children: ReactNode }) {
  return (
    <Text size="xs" fw={600} c="dimmed" px="sm" pt="md" pb={4} truncate>
      {children}
    </Text>
  )
}

interface NavigationLinkProps {
  readonly to: string
  readonly label: string
  readonly icon: ReactNode
  /** Marked as current only on this page, not on its subpages. */
  readonly exact?: boolean
}

function NavigationLink({ to, label, icon, exact = false }: NavigationLinkProps) {
  const [location] = useLocation()
  const isCurrent = location === to || (!exact && location.startsWith(`${to}/`))
  return (
    <NavLink
      component={Link}
      href={to}
      label={label}
      leftSection={icon}
      active={isCurrent}
      aria-current={isCurrent ? 'page' : undefined}
      style={{ borderRadius: 'var(--mantine-radius-md)' }}
    />
  )
}
