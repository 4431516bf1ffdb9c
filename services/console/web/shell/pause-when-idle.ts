import { useIdle } from '@mantine/hooks'
import { focusManager } from '@tanstack/react-query'
import { useEffect } from 'react'

const idleMs = 5 * 60_000

/**
 * While nobody touches the page it reads nothing by itself, as if another window were looked at: else a page left open would keep its
 * session from ending. Whoever comes back sees what is new at once.
 */
export function usePauseWhenIdle(): void {
  const isIdle = useIdle(idleMs, { initialState: false })
  useEffect(() => focusManager.setFocused(isIdle ? false : undefined), [isIdle])
}
