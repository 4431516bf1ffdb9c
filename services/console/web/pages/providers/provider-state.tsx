import { Badge } from '@mantine/core'
import type { ProviderSettings } from '../../admin/types.ts'
import { useTexts } from '../../texts/index.tsx'

const stateColors = { off: 'gray', incomplete: 'yellow', switched_off: 'gray', ready: 'teal' } as const

/** Whether end users can log in with a provider, and why not. */
export function ProviderState({ of: settings }: { of: ProviderSettings }) {
  const { providers: t } = useTexts('providers')
  const state = getState(settings)
  return (
    <Badge variant="light" color={stateColors[state]}>
      {t.states[state]}
    </Badge>
  )
}

export function getState({ login_provider_identifier, missing, enabled }: ProviderSettings): keyof typeof stateColors {
  if (login_provider_identifier === null) return 'off'
  if (missing.length > 0) return 'incomplete'
  return enabled ? 'ready' : 'switched_off'
}
