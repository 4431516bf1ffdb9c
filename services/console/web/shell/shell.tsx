import { AppShell, Box, Button, Group, Kbd, Menu, ScrollArea } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconLogout, IconSearch, IconUserCircle } from '@tabler/icons-react'
import { lazy, type ReactNode, Suspense, useEffect } from 'react'
import { Link, useLocation } from 'wouter'
import { queryClient, useRead } from '../admin/queries.ts'
import { signOut } from '../admin/sign-in.ts'
import { PageSkeleton } from '../parts/page-skeleton.tsx'
import { useTexts } from '../texts/index.tsx'
import { Brand } from './brand.tsx'
import { Breadcrumb } from './breadcrumb.tsx'
import { useCurrentLocation } from './current-location.ts'
import { Navigation } from './navigation.tsx'
import { usePauseWhenIdle } from './pause-when-idle.ts'
import { PhoneBar } from './phone-bar.tsx'
import { Preferences } from './preferences.tsx'
import { useRememberSite } from './recent-sites.ts'
import { useSearch } from './search/use-search.tsx'
import { SiteSwitcher } from './site-switcher.tsx'

const DeletionState = lazy(async () => ({ default: (await import('./site-deletion.tsx')).DeletionState }))

/** Layout of every page for signed-in members. */
export function Shell({ children }: { children: ReactNode }) {
  const { shell: t } = useTexts()
  const [opened, menu] = useDisclosure()
  const [location] = useLocation()
  const search = useSearch()
  usePauseWhenIdle()
  useRememberSite()
  // biome-ignore lint/correctness/useExhaustiveDependencies: on a phone the menu closes when another page is shown
  useEffect(menu.close, [location])

  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 232, breakpoint: 'sm', collapsed: { mobile: !opened } }}
      footer={{ height: { base: 60, sm: 0 } }}
      padding={{ base: 'md', sm: 'xl' }}
    >
      <a className="skip" href="#contents">
        {t.skip_to_content}
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap" miw={0}>
            <Brand small />
            <SiteSwitcher />
          </Group>
          <Group gap="xs" wrap="nowrap" flex="none">
            <Group gap="xs" wrap="nowrap" visibleFrom="sm">
              <SearchButton open={search.open} />
              <Preferences />
            </Group>
            <Me />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar aria-label={t.main_navigation}>
        <ScrollArea p="sm" type="auto">
          <Navigation />
          <Group gap="xs" p="sm" mt="md" hiddenFrom="sm">
            <Preferences />
          </Group>
        </ScrollArea>
      </AppShell.Navbar>
      <AppShell.Footer hiddenFrom="sm" className="phone-bar">
        <PhoneBar isMenuOpen={opened} toggleMenu={menu.toggle} openSearch={search.open} />
      </AppShell.Footer>
      <AppShell.Main id="contents" tabIndex={-1}>
        <Breadcrumb />
        <Suspense fallback={<PageSkeleton />}>
          <OfSite>{children}</OfSite>
        </Suspense>
      </AppShell.Main>
      {search.dialog}
    </AppShell>
  )
}

/** Pages of a site show the state of its deletion. */
function OfSite({ children }: { children: ReactNode }) {
  const { account, site } = useCurrentLocation()
  if (account === undefined || site === undefined) return children
  return (
    <DeletionState key={site.site_id} site={{ account: account.account, site_id: site.site_id }}>
      {children}
    </DeletionState>
  )
}

function SearchButton({ open }: { open: () => void }) {
  const { shell: t } = useTexts()
  return (
    <Button
      variant="default"
      c="dimmed"
      fw={400}
      onClick={open}
      aria-keyshortcuts="Control+K Meta+K"
      leftSection={<IconSearch size={16} />}
      rightSection={
        <Kbd size="xs" visibleFrom="md">
          {isApple ? '⌘ K' : 'Ctrl K'}
        </Kbd>
      }
    >
      {t.search}
    </Button>
  )
}

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent)

function Me() {
  const { shell: t } = useTexts()
  const name = useRead('readMe', {}).data?.member.name ?? ''
  const signOutAndReload = async () => {
    await signOut()
    queryClient.clear()
    location.assign('/')
  }
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <Button variant="default" px="xs" aria-label={`${t.me}: ${name}`}>
          <IconUserCircle size={20} />
          <Box
            component="span"
            visibleFrom="sm"
            ml={6}
            maw={160}
            style={{ overflow: 'hidden', textOverflow: 'ellipsis' }}
          >
            {name}
          </Box>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item component={Link} href="/me" leftSection={<IconUserCircle size={16} />}>
          {t.me}
        </Menu.Item>
        <Menu.Item onClick={signOutAndReload} leftSection={<IconLogout size={16} />}>
          {t.sign_out}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
