import { Alert, Button } from '@mantine/core'
import { IconSend } from '@tabler/icons-react'
import { useState } from 'react'
import { mutate } from '../../admin/queries.ts'
import type { AdminOutput, NoticeChannel } from '../../admin/types.ts'
import { useAction } from '../../admin/use-action.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { FaultAlert } from '../../parts/fault-alert.tsx'
import { useTexts } from '../../texts/index.tsx'
import { useDescribeError } from './channel-state.tsx'

/** A button that sends a test notice and shows the result. */
export function SendTestNotice({ account, channel }: { account: string; channel: NoticeChannel }) {
  const { notices: t } = useTexts('notices')
  const describe = useDescribeError()
  const [result, setResult] = useState<AdminOutput<'testNoticeChannel'>>()
  const test = useAction(async () =>
    setResult(await mutate('testNoticeChannel', { account, channel_id: channel.channel_id })),
  )
  const close = () => {
    setResult(undefined)
    test.reset()
  }
  return (
    <>
      <Button variant="default" leftSection={<IconSend size={18} />} loading={test.isBusy} onClick={() => test.run()}>
        {t.send_test}
      </Button>
      <Dialog opened={result !== undefined || test.fault !== null} onClose={close} title={t.send_test}>
        {test.fault && <FaultAlert fault={test.fault} />}
        {result?.delivered && <Alert color="teal">{t.test_delivered}</Alert>}
        {result && result.error !== null && (
          <Alert color="red" title={t.test_failed}>
            {describe(result.error, result.status, channel)}
          </Alert>
        )}
      </Dialog>
    </>
  )
}
