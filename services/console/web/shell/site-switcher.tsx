import { Box, Button, Group, Menu, ScrollArea, Text, TextInput, VisuallyHidden } from '@mantine/core'
import { IconBuilding, IconCheck, IconSearch, IconSelector, IconWorld } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'wouter'
import { KindBadge } from '../parts/kind-badge.tsx'
import { useTexts } from '../texts/index.tsx'
import { type CurrentLocation, useCurrentLocation } from './current-location.ts'
import { paths } from './paths.ts'

/** Above this number, a search field is shown. */
const searchThreshold = 8

/** Shows the current account and site, and links to the same page of other sites. */
export function SiteSwitcher() {
  const { shell: t } = useTexts()
  const current = useCurrentLocation()
  const { account, site } = current
  if (account === undefined) return null
  return (
    <Menu position="bottom-start" width={320}>
      <Menu.Target>
        <Button
          variant="default"
          px="xs"
          miw={0}
          flex="0 1 auto"
          rightSection={<IconSelector size={16} />}
          styles={{ label: { overflow: 'hidden' } }}
        >
          <Group gap={6} wrap="nowrap" miw={0}>
            <Text span size="sm" truncate {...(site === undefined ? { fw: 600 } : { c: 'dimmed', visibleFrom: 'md' })}>
              {account.name}
            </Text>
            {site !== undefined && (
              <>
                <Text span size="sm" c="dimmed" visibleFrom="md" aria-hidden="true">
                  /
                </Text>
                <Text span size="sm" fw={600} truncate>
                  {site.name}
                </Text>
                {site.kind && (
                  <Box component="span" visibleFrom="md">
                    <KindBadge kind={site.kind} size="sm" />
                  </Box>
                )}
              </>
            )}
          </Group>
          <VisuallyHidden>{t.switch_site}</VisuallyHidden>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <SiteMenuItems place={current} account={account.account} />
        <Menu.Divider />
        <Menu.Item component={Link} href={paths.account(account.account)} leftSection={<IconWorld size={16} />}>
          {t.all_sites({ account: account.name })}
        </Menu.Item>
        <Menu.Item component={Link} href={paths.accounts} leftSection={<IconBuilding size={16} />}>
          {t.all_accounts}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

function SiteMenuItems({ place: { site, sites, section }, account }: { place: CurrentLocation; account: string }) {
  const { shell: t } = useTexts()
  const [searched, setSearched] = useState('')
  const wanted = searched.trim().toLowerCase()
  const matches = sites.filter(({ name, site_id }) =>
    [name, site_id].some((text) => text.toLowerCase().includes(wanted)),
  )
  return (
    <>
      {sites.length > searchThreshold && (
        <TextInput
          m={4}
          size="sm"
          aria-label={t.find_site}
          placeholder={t.find_site}
          leftSection={<IconSearch size={16} />}
          value={searched}
          onChange={(event) => setSearched(event.currentTarget.value)}
        />
      )}
      <ScrollArea.Autosize mah={320} type="auto">
        {matches.map((one) => {
          const isCurrent = one.site_id === site?.site_id
          const base = paths.site({ account, site_id: one.site_id })
          return (
            <Menu.Item
              key={one.site_id}
              component={Link}
              href={section === '' || site === undefined ? base : `${base}/${section}`}
              aria-current={isCurrent ? 'true' : undefined}
              leftSection={isCurrent ? <IconCheck size={16} /> : <Box w={16} />}
              rightSection={<KindBadge kind={one.kind} size="sm" />}
            >
              {one.name}
            </Menu.Item>
          )
        })}
        {matches.length === 0 && (
          <Text size="sm" c="dimmed" p="xs">
            {t.no_site}
          </Text>
        )}
      </ScrollArea.Autosize>
    </>
  )
}
