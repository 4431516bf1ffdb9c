import { Group, Image, Text, UnstyledButton } from '@mantine/core'
import { Link } from 'wouter'
import { useTexts } from '../texts/index.tsx'

export function Brand() {
  const { common } = useTexts()
  return (
    <UnstyledButton component={Link} href="/" display="block" miw={0}>
      <Group gap="xs" wrap="nowrap">
        <Image src="/icon.svg" alt="" w={28} h={28} flex="none" />
        <Text fw={600} truncate>
          {common.console}
        </Text>
      </Group>
    </UnstyledButton>
  )
}
