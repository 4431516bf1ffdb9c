import { Badge } from '@mantine/core'
import type { Webhook } from '../../admin/types.ts'
import { useTexts } from '../../texts/index.tsx'

const colors = { sending: 'teal', failing: 'orange', paused: 'gray', paused_by_failures: 'red' } as const

export function WebhookState({ of: { enabled, paused_because, failing_since } }: { of: Webhook }) {
  const { webhooks: t } = useTexts('webhooks')
  const paused = paused_because === null ? 'paused' : 'paused_by_failures'
  const state = enabled ? (failing_since === null ? 'sending' : 'failing') : paused
  return (
    <Badge variant="light" color={colors[state]}>
      {t.states[state]}
    </Badge>
  )
}
