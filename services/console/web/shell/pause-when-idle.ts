import { useIdle } from '@mantine/hooks'
import { focusManager } from '@tanstack/react-query'
import { useEffect } from 'react'

const idleMs = 5 * 60_000

/**
 * Pauses automatic refetches while the user is idle, as if the window had no focus. Otherwise an open page would extend its session
 * forever. Refetches when the user returns.
 */
export function usePauseWhenIdle(): void {
  const isIdle = useIdle(idleMs, { initialState: false })
  useEffect(() => focusManager.setFocused(isIdle ? false : undefined), [isIdle])
}
