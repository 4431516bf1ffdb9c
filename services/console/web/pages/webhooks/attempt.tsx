import { Code, Stack, Text } from '@mantine/core'
import type { AdminOutput } from '../../admin/types.ts'
import { DateTime } from '../../parts/date-time.tsx'
import { useTexts } from '../../texts/index.tsx'

type Attempt = AdminOutput<'testWebhook'>

export function isSuccessful({ status }: Attempt): boolean {
  return status !== null && status >= 200 && status < 300
}

/** Time, duration and result of an attempt, with the beginning of the response. */
export function AttemptDetails({ of: { at, duration_ms, status, error, response } }: { of: Attempt }) {
  const { webhooks: t } = useTexts('webhooks')
  return (
    <Stack gap={4}>
      <Text size="sm">
        <DateTime at={at} /> · {error === null ? t.http({ status: status ?? 0 }) : t.errors[error]} ·{' '}
        {t.duration({ milliseconds: duration_ms })}
      </Text>
      {response && (
        <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {response}
        </Code>
      )}
    </Stack>
  )
}
