import { Alert, Button, Stack, Text } from '@mantine/core'
import { IconAlertCircle, IconPlugConnectedX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { RequestFault } from '../admin/fault.ts'
import { useTexts } from '../texts/index.tsx'

/** Faults for which a retry returns the same result. */
const notRetryable: ReadonlySet<string> = new Set(['not_found', 'not_allowed', 'invalid_request'])

interface Props {
  readonly fault: RequestFault
  readonly retry?: () => void
  /** Replaces the default text of the fault. */
  readonly says?: { readonly title: string; readonly advice: string } | undefined
  /** Additional text. */
  readonly children?: ReactNode
}

/** Shows what happened, the message of the service, and what to do. */
export function FaultAlert({ fault, retry, says, children }: Props) {
  const { faults, common, sign_in } = useTexts()
  const isUnavailable = fault.fault === 'unavailable' || fault.fault === 'unreachable'
  const known: Partial<Record<string, typeof faults.unexpected>> = faults
  const text = says ?? known[fault.fault] ?? faults.unexpected
  const details = fault.fields.length > 0 ? fault.fields.map(({ field, message }) => `${field}: ${message}`) : []
  if (details.length === 0 && fault.message !== '') details.push(fault.message)
  return (
    <Alert
      role="alert"
      color={isUnavailable ? 'yellow' : 'red'}
      icon={isUnavailable ? <IconPlugConnectedX /> : <IconAlertCircle />}
      title={text.title}
    >
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{text.advice}</Text>
        {details.map((detail) => (
          <Text key={detail} size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {detail}
          </Text>
        ))}
        {text === faults.unexpected && fault.requestId && (
          <Text size="xs" c="dimmed">
            {common.request_id}: {fault.requestId}
          </Text>
        )}
        {children && <Text size="sm">{children}</Text>}
        {fault.reason === 'account_provider_required' && (
          <Button component="a" href="/sign-in" size="compact-sm" variant="default">
            {sign_in.title}
          </Button>
        )}
        {retry && !notRetryable.has(fault.fault) && (
          <Button size="compact-sm" variant="default" onClick={retry}>
            {common.try_again}
          </Button>
        )}
      </Stack>
    </Alert>
  )
}
