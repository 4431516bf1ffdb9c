import { Alert, Button, Code, Group, List, Stack, Text } from '@mantine/core'
import { useSearchParams } from 'wouter'
import { useRead } from '../../admin/queries.ts'
import { testAccountProvider } from '../../admin/sign-in.ts'
import type { AdminOutput } from '../../admin/types.ts'
import { useAction } from '../../admin/use-action.ts'
import { FaultAlert } from '../../parts/fault-alert.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Section } from '../../parts/page.tsx'
import { useReasonTexts, useTexts } from '../../texts/index.tsx'
import { useFormatRoles } from '../members/format-roles.ts'

/** A button that signs in at the provider without effect. */
export function TestSignIn({ account }: { account: string }) {
  const { member_sign_in: t } = useTexts('member_sign_in')
  const starting = useAction(() => testAccountProvider(account))
  return (
    <Section title={t.test} about={t.test_about}>
      <Group>
        <Button variant="default" loading={starting.isBusy} onClick={() => starting.run()}>
          {t.start_test}
        </Button>
      </Group>
      {starting.fault && <FaultAlert fault={starting.fault} />}
    </Section>
  )
}

/** The result of the test with which the browser returned to the page. */
export function TestResult({ account }: { account: string }) {
  const [parameters] = useSearchParams()
  const testId = parameters.get('test')
  const query = useRead('readTestSignIn', { account, test_id: testId ?? '' }, { enabled: testId !== null })
  if (testId === null) return null
  return <Loaded of={query}>{(result) => <Result result={result} />}</Loaded>
}

function Result({ result }: { result: AdminOutput<'readTestSignIn'> }) {
  const { member_sign_in: t, common } = useTexts('member_sign_in')
  const translate = useReasonTexts()
  const formatRoles = useFormatRoles()
  const { problem, email, email_verified, values, claims, subject } = result
  const message = problem && (translate(problem.reason, problem.parameters) ?? problem.message)
  const lines: [string, string][] = [
    [t.result_email, email ?? common.none],
    [t.result_verified, email_verified ? common.yes : common.no],
    [t.result_values, values === null || values.length === 0 ? common.none : values.join(', ')],
    [t.result_subject, subject],
    [t.result_claims, claims.join(', ')],
  ]
  return (
    <Alert
      role="status"
      color={problem === null ? 'teal' : 'orange'}
      title={problem === null ? t.test_ok({ roles: formatRoles(result) ?? common.none }) : t.test_failed}
    >
      <Stack gap="xs">
        {message && <Text size="sm">{message}</Text>}
        <List size="sm">
          {lines.map(([label, text]) => (
            <List.Item key={label}>
              {label}: <Code style={{ overflowWrap: 'anywhere' }}>{text}</Code>
            </List.Item>
          ))}
        </List>
      </Stack>
    </Alert>
  )
}
