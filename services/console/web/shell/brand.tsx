import { Group, Image, Text, UnstyledButton } from '@mantine/core'
import { Link } from 'wouter'
import { useTexts } from '../texts/index.tsx'

/** @param small shows only the mark on narrow screens */
export function Brand({ small = false }: { small?: boolean }) {
  const { common } = useTexts()
  return (
    <UnstyledButton component={Link} href="/" display="block" miw={0} aria-label={common.console}>
      <Group gap="xs" wrap="nowrap">
        <Image src="/icon.svg" alt="" w={28} h={28} flex="none" />
        <Text fw={600} fz={{ base: 'sm', sm: 'md' }} truncate {...(small ? { visibleFrom: 'lg' } : {})}>
          {common.console}
        </Text>
      </Group>
    </UnstyledButton>
  )
}
