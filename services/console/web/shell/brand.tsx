import { Group, Image, Text } from '@mantine/core'
import { Link } from 'wouter'
import { useTexts } from '../texts/index.tsx'

export function Brand() {
  const { common } = useTexts()
  return (
    <Group component={Link} href="/" gap="xs" wrap="nowrap" c="inherit" td="none">
      <Image src="/icon.svg" alt="" w={28} h={28} />
      <Text fw={600} lineClamp={1}>
        {common.console}
      </Text>
    </Group>
  )
}
