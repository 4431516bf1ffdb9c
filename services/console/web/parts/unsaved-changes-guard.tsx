import { Button, Group, Stack, Text } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { useTexts } from '../texts/index.tsx'
import { Dialog } from './dialog.tsx'

/**
 * Rendered while a form has unsaved changes: asks for confirmation before the user leaves the page, with our dialog for pages of the
 * console and with the browser's dialog otherwise. Without the Navigation API, only the browser's dialog works.
 */
export function UnsavedChangesGuard() {
  const { common: t } = useTexts()
  const [, navigate] = useLocation()
  const [destination, setDestination] = useState<NavigationDestination>()
  const guard = useRef<AbortController>(null)

  useEffect(() => {
    const installed = new AbortController()
    const { signal } = installed
    guard.current = installed
    addEventListener('beforeunload', (event) => event.preventDefault(), { signal })
    globalThis.navigation?.addEventListener(
      'navigate',
      (event) => {
        const { url, sameDocument } = event.destination
        const samePage = new URL(url).pathname === location.pathname
        if (samePage || !sameDocument || !event.cancelable) return
        event.preventDefault()
        setDestination(event.destination)
      },
      { signal },
    )
    return () => installed.abort()
  }, [])

  function leave({ key, url }: NavigationDestination) {
    guard.current?.abort()
    // History entries have a key; links do not.
    if (key !== '') return void navigation.traverseTo(key)
    const { pathname, search, hash } = new URL(url)
    navigate(`${pathname}${search}${hash}`)
  }

  const stay = () => setDestination(undefined)
  return (
    <Dialog opened={destination !== undefined} onClose={stay} title={t.unsaved_title}>
      <Stack>
        <Text size="sm">{t.unsaved}</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={stay} data-autofocus>
            {t.stay}
          </Button>
          <Button color="red" onClick={() => destination && leave(destination)}>
            {t.leave}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
