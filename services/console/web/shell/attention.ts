import { useIdle } from '@mantine/hooks'
import { focusManager } from '@tanstack/react-query'
import { useEffect } from 'react'

const attentionMs = 5 * 60_000

/**
 * While nobody touches the page it reads nothing by itself, as if another window were looked at: else a page left open would keep its
 * session from ending. Whoever comes back sees what is new at once.
 */
export function useAttention(): void {
  const idle = useIdle(attentionMs, { initialState: false })
  useEffect(() => focusManager.setFocused(idle ? false : undefined), [idle])
}
