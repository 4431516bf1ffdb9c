import { Alert, Button, Stack, Text } from '@mantine/core'
import { IconAlertCircle, IconPlugConnectedX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { isOutageFault, isRetryable, listDetails, type RequestFault } from '../admin/fault.ts'
import { useTexts } from '../texts/index.tsx'

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
  const isUnavailable = isOutageFault(fault)
  const known: Partial<Record<string, typeof faults.unexpected>> = faults
  const text = says ?? known[fault.fault] ?? faults.unexpected
  return (
    <Alert
      role="alert"
      color={isUnavailable ? 'yellow' : 'red'}
      icon={isUnavailable ? <IconPlugConnectedX /> : <IconAlertCircle />}
      title={text.title}
    >
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{text.advice}</Text>
        {listDetails(fault).map((detail) => (
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
        {retry && isRetryable(fault) && (
          <Button size="compact-sm" variant="default" onClick={retry}>
            {common.try_again}
          </Button>
        )}
      </Stack>
    </Alert>
  )
}
