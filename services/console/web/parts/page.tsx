import { Box, Group, Stack, Text, Title } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'
import { useCurrentLocation } from '../shell/current-location.ts'
import { useTexts } from '../texts/index.tsx'

interface Props {
  readonly title: string
  readonly about?: ReactNode
  readonly actions?: ReactNode
  readonly children: ReactNode
}

/** A page: its title (also of the browser tab, with site and account), a sentence about its purpose, its actions and its content. */
export function Page({ title, about, actions, children }: Props) {
  const { common } = useTexts()
  const { account, site } = useCurrentLocation()
  const names = [site?.name, account?.name].filter((name) => name !== undefined && !title.includes(name))
  const wholeTitle = [title, ...names, common.console].join(' – ')
  useEffect(() => {
    document.title = wholeTitle
  }, [wholeTitle])
  return (
    <Stack gap="lg">
      <Group justify="space-between" align="flex-start" gap="sm">
        <Box maw={720} flex="1 1 320px">
          <Title order={1} size="h2">
            {title}
          </Title>
          {about && (
            <Text c="dimmed" mt={4}>
              {about}
            </Text>
          )}
        </Box>
        {actions && <Group gap="sm">{actions}</Group>}
      </Group>
      {children}
    </Stack>
  )
}

/** A part of a page under a heading of its own, which the search opens by its title as fragment of the address. */
export function Section({ title, about, actions, children }: Props) {
  const ref = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (location.hash.slice(1) === encodeURIComponent(title)) ref.current?.scrollIntoView()
  }, [title])
  return (
    <Stack component="section" gap="sm" ref={ref}>
      <Group justify="space-between" align="flex-end" gap="sm">
        <Box maw={720} flex="1 1 320px">
          <Title order={2} size="h4">
            {title}
          </Title>
          {about && (
            <Text c="dimmed" size="sm">
              {about}
            </Text>
          )}
        </Box>
        {actions}
      </Group>
      {children}
    </Stack>
  )
}
