import { Alert } from '@mantine/core'
import { IconClockExclamation } from '@tabler/icons-react'
import type { ProviderSettings } from '../../admin/types.ts'
import { useNameProvider } from '../../parts/site-providers.ts'
import { useFormat } from '../../texts/format.ts'
import { useTexts } from '../../texts/index.tsx'

const warningMs = 30 * 86_400_000

/** Warns of provider secrets that expire soon or have expired. */
export function ExpiringSecrets({ providers }: { providers: readonly ProviderSettings[] }) {
  const { overview: t } = useTexts()
  const nameProvider = useNameProvider()
  const format = useFormat()
  return providers.map(({ provider, client_secret_expires_at: at }) => {
    if (at === null || Date.parse(at) - Date.now() > warningMs) return null
    const formatText = Date.parse(at) > Date.now() ? t.expiring : t.expired
    return (
      <Alert key={provider} color="yellow" icon={<IconClockExclamation />}>
        {formatText({ provider: nameProvider(provider), when: format.relative(at) })}
      </Alert>
    )
  })
}
