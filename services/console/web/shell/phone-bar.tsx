import { Group, Text, UnstyledButton } from '@mantine/core'
import { type Icon, IconMenu2, IconSearch } from '@tabler/icons-react'
import { Link, useLocation } from 'wouter'
import { useTexts } from '../texts/index.tsx'
import { pathOfPage } from './page-list.ts'
import { useVisiblePages } from './visible-pages.ts'

interface Props {
  readonly isMenuOpen: boolean
  readonly toggleMenu: () => void
  readonly openSearch: () => void
}

/** At the lower edge of a phone, where a thumb reaches: the pages that are opened most, the search and the menu. */
export function PhoneBar({ isMenuOpen, toggleMenu, openSearch }: Props) {
  const { shell: t } = useTexts()
  const [location] = useLocation()
  const { groups, path } = useVisiblePages()
  const often = groups.flatMap(({ pages }) => pages).filter(({ often }) => often)
  return (
    <Group h="100%" gap={0} grow wrap="nowrap" preventGrowOverflow={false}>
      {often.map((page) => {
        const to = pathOfPage({ path }, page)
        return (
          <UnstyledButton
            key={page.section}
            component={Link}
            href={to}
            className="phone-bar-item"
            aria-current={location === to ? 'page' : undefined}
          >
            <Item icon={page.icon} label={t[page.label]} />
          </UnstyledButton>
        )
      })}
      <UnstyledButton className="phone-bar-item" onClick={openSearch}>
        <Item icon={IconSearch} label={t.search} />
      </UnstyledButton>
      <UnstyledButton className="phone-bar-item" onClick={toggleMenu} aria-expanded={isMenuOpen}>
        <Item icon={IconMenu2} label={t.menu} />
      </UnstyledButton>
    </Group>
  )
}

function Item({ icon: ItemIcon, label }: { icon: Icon; label: string }) {
  return (
    <>
      <ItemIcon size={22} aria-hidden />
      <Text span fz={11} lh={1.2} truncate maw="100%">
        {label}
      </Text>
    </>
  )
}
