import { Box, Center, Group, Paper, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { Brand } from '../../shell/brand.tsx'
import { Preferences } from '../../shell/preferences.tsx'

/** Layout of the pages before sign-in. */
export function SignInFrame({ children }: { children: ReactNode }) {
  return (
    <Box mih="100dvh" display="flex" style={{ flexDirection: 'column' }}>
      <Group justify="space-between" p="md" component="header" wrap="nowrap">
        <Brand />
        <Group gap="xs" wrap="nowrap" flex="none">
          <Preferences />
        </Group>
      </Group>
      <Center component="main" style={{ flex: 1 }} p="md" pb={96}>
        <Paper withBorder p={{ base: 'lg', sm: 'xl' }} w="100%" maw={460} shadow="sm">
          <Stack>{children}</Stack>
        </Paper>
      </Center>
    </Box>
  )
}
