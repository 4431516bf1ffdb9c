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
  IconRobot,
  IconSettings,
  IconShieldLock,
  IconUsers,
  IconUsersGroup,
  IconWorld,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link, useLocation } from 'wouter'
import { useMay, useOperator } from '../admin/may.ts'
import { useTexts } from '../texts/index.tsx'
import { usePlaceInView } from './place-in-view.ts'
import { placeOf } from './places.ts'

/** Where one can go from here: the accounts, what the account in view has, what its site in view has. */
export function Navigation() {
  const { shell: t } = useTexts()
  const operator = useOperator()
  const { account, site } = usePlaceInView()
  return (
    <>
      <Place to={placeOf.accounts} exact icon={<IconBuilding size={18} />} label={t.accounts} />
      <Place to={placeOf.health} icon={<IconActivity size={18} />} label={t.health} />
      {operator && (
        <>
          <Place to={placeOf.operators} icon={<IconShieldLock size={18} />} label={t.operators} />
          <Place to={placeOf.whole_audit} icon={<IconHistory size={18} />} label={t.whole_audit} />
        </>
      )}
      {account && <AccountPlaces {...account} />}
      {account && site && <SitePlaces account={account.account} site_id={site.site_id} name={site.name} />}
    </>
  )
}

function AccountPlaces({ account, name }: { account: string; name: string }) {
  const { shell: t } = useTexts()
  const may = useMay(account)
  const at = placeOf.account(account)
  return (
    <nav aria-label={name}>
      <Heading>{name}</Heading>
      <Place to={at} exact icon={<IconWorld size={18} />} label={t.sites} />
      <Place to={`${at}/members`} icon={<IconUsersGroup size={18} />} label={t.members} />
      {may('owner') && <Place to={`${at}/tokens`} icon={<IconRobot size={18} />} label={t.tokens} />}
      <Place to={`${at}/audit`} icon={<IconHistory size={18} />} label={t.audit} />
    </nav>
  )
}

function SitePlaces({ account, site_id, name }: { account: string; site_id: string; name: string }) {
  const { shell: t } = useTexts()
  const may = useMay(account)
  const at = placeOf.site({ account, site_id })
  return (
    <nav aria-label={name}>
      <Heading>{name}</Heading>
      <Place to={at} exact icon={<IconHome size={18} />} label={t.overview} />
      <Place to={`${at}/clients`} icon={<IconApps size={18} />} label={t.clients} />
      <Place to={`${at}/providers`} icon={<IconLogin2 size={18} />} label={t.providers} />
      <Place to={`${at}/keys`} icon={<IconKey size={18} />} label={t.keys} />
      <Place to={`${at}/addresses`} icon={<IconNetwork size={18} />} label={t.addresses} />
      <Place to={`${at}/users`} icon={<IconUsers size={18} />} label={t.users} />
      {may('editor') && <Place to={`${at}/exports`} icon={<IconDownload size={18} />} label={t.exports} />}
      <Place to={`${at}/insight`} icon={<IconChartBar size={18} />} label={t.insight} />
      <Place to={`${at}/settings`} icon={<IconSettings size={18} />} label={t.settings} />
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

interface PlaceProps {
  readonly to: string
  readonly label: string
  readonly icon: ReactNode
  /** Marked on this page alone, not on those below it. */
  readonly exact?: boolean
}

function Place({ to, label, icon, exact = false }: PlaceProps) {
  const [location] = useLocation()
  const here = location === to || (!exact && location.startsWith(`${to}/`))
  return (
    <NavLink
      component={Link}
      href={to}
      label={label}
      leftSection={icon}
      active={here}
      aria-current={here ? 'page' : undefined}
      style={{ borderRadius: 'var(--mantine-radius-md)' }}
    />
  )
}
