import { Alert, Button, Stack } from '@mantine/core'
import { IconSend } from '@tabler/icons-react'
import { useState } from 'react'
import { call } from '../../admin/call.ts'
import type { AdminOutput, SiteReference, Webhook } from '../../admin/types.ts'
import { useAction } from '../../admin/use-action.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { FaultAlert } from '../../parts/fault-alert.tsx'
import { useTexts } from '../../texts/index.tsx'
import { AttemptDetails, isSuccessful } from './attempt.tsx'

/** A button that sends a test event and shows the response. */
export function SendTest({ site, webhook: { endpoint_id } }: { site: SiteReference; webhook: Webhook }) {
  const { webhooks: t } = useTexts('webhooks')
  const [attempt, setAttempt] = useState<AdminOutput<'testWebhook'>>()
  const test = useAction(async () => setAttempt(await call('testWebhook', { ...site, endpoint_id })))
  const close = () => {
    setAttempt(undefined)
    test.reset()
  }
  return (
    <>
      <Button variant="default" leftSection={<IconSend size={18} />} loading={test.isBusy} onClick={() => test.run()}>
        {t.send_test}
      </Button>
      <Dialog opened={attempt !== undefined || test.fault !== null} onClose={close} title={t.send_test} size="lg">
        {test.fault && <FaultAlert fault={test.fault} />}
        {attempt && (
          <Stack>
            <Alert color={isSuccessful(attempt) ? 'teal' : 'red'}>
              {isSuccessful(attempt) ? t.test_received : t.test_failed}
            </Alert>
            <AttemptDetails of={attempt} />
          </Stack>
        )}
      </Dialog>
    </>
  )
}
