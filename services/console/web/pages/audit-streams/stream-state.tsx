import { Alert, Badge, Code, Stack, Text } from '@mantine/core'
import type { AuditStream } from '../../admin/types.ts'
import { DateTime } from '../../parts/date-time.tsx'
import { useTexts } from '../../texts/index.tsx'

const colors = { sending: 'teal', failing: 'red', paused: 'gray' } as const

export function StreamState({ of: { enabled, failing_since } }: { of: AuditStream }) {
  const { audit_streams: t } = useTexts('audit_streams')
  const state = enabled ? (failing_since === null ? 'sending' : 'failing') : 'paused'
  return (
    <Badge variant="light" color={colors[state]}>
      {t.states[state]}
    </Badge>
  )
}

type Failure = NonNullable<AuditStream['last_error']>

/** Why an attempt failed, and what to do. */
export function FailureDetails({ of: { error, status, detail } }: { of: Failure }) {
  const { audit_streams: t } = useTexts('audit_streams')
  return (
    <Stack gap={4}>
      <Text size="sm">
        {error === 'status' ? t.status({ status: status ?? 0 }) : t.errors[error]} {t.advice[error]}
      </Text>
      {detail && (
        <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {detail}
        </Code>
      )}
    </Stack>
  )
}

/** That a stream fails: since when, why, and when the next attempt is made. */
export function FailingAlert({ of: { failing_since, last_error, next_attempt_at } }: { of: AuditStream }) {
  const { audit_streams: t } = useTexts('audit_streams')
  if (last_error === null || failing_since === null) return null
  return (
    <Alert color="red" title={t.failing_title}>
      <Stack gap="xs">
        <FailureDetails of={last_error} />
        <Text size="sm">
          {t.failing_since} <DateTime at={failing_since} relative />
          {next_attempt_at !== null && (
            <>
              {' · '}
              {t.next_attempt} <DateTime at={next_attempt_at} />
            </>
          )}
          {' · '}
          {t.nothing_lost}
        </Text>
      </Stack>
    </Alert>
  )
}
