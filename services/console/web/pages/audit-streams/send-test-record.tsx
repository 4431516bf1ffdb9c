import { Alert, Button, Stack } from '@mantine/core'
import { IconSend } from '@tabler/icons-react'
import { useState } from 'react'
import type { AdminOutput } from '../../admin/types.ts'
import { useAction } from '../../admin/use-action.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { FaultAlert } from '../../parts/fault-alert.tsx'
import { useTexts } from '../../texts/index.tsx'
import { type StreamOwner, streamProcedures } from './scope.ts'
import { FailureDetails } from './stream-state.tsx'

/** A button that sends a test record and shows what became of it. */
export function SendTestRecord({ scope, stream_id }: { scope: StreamOwner; stream_id: string }) {
  const { audit_streams: t } = useTexts('audit_streams')
  const [result, setResult] = useState<AdminOutput<'testAuditStream'>>()
  const test = useAction(async () => setResult(await streamProcedures(scope).test(stream_id)))
  const close = () => {
    setResult(undefined)
    test.reset()
  }
  return (
    <>
      <Button variant="default" leftSection={<IconSend size={18} />} loading={test.isBusy} onClick={() => test.run()}>
        {t.send_test}
      </Button>
      <Dialog opened={result !== undefined || test.fault !== null} onClose={close} title={t.send_test} size="lg">
        {test.fault && <FaultAlert fault={test.fault} />}
        {result && (
          <Stack>
            <Alert color={result.failure === null ? 'teal' : 'red'}>
              {result.failure === null ? t.test_received({ milliseconds: result.duration_ms }) : t.test_failed}
            </Alert>
            {result.failure && <FailureDetails of={result.failure} />}
          </Stack>
        )}
      </Dialog>
    </>
  )
}
