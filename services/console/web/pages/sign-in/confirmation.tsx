import { Button, Group, Stack, Text } from '@mantine/core'
import { IconFingerprint } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { answerQuestions, type Question } from '../../admin/confirmed.ts'
import { Cancelled, type Fault, faultFrom } from '../../admin/fault.ts'
import { confirm } from '../../admin/sign-in.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Failure } from '../../parts/failure.tsx'
import { useTexts } from '../../texts/index.tsx'
import { AtProvider } from './at-provider.tsx'

/** The dialog that asks for the passkey; there is one, at the root of the page. */
export function Confirmation() {
  const { common: t, sign_in } = useTexts()
  const [question, setQuestion] = useState<Question>()
  const [fault, setFault] = useState<Fault>()
  const [busy, setBusy] = useState(false)

  useEffect(
    () =>
      answerQuestions((next) => {
        setFault(undefined)
        setQuestion(next)
      }),
    [],
  )

  async function showPasskey() {
    setBusy(true)
    try {
      await confirm()
      question?.answer()
      setQuestion(undefined)
    } catch (error) {
      if (!(error instanceof Cancelled)) setFault(faultFrom(error))
    } finally {
      setBusy(false)
    }
  }

  function close() {
    question?.refuse(new Cancelled())
    setQuestion(undefined)
  }

  return (
    <Dialog opened={question !== undefined} onClose={close} title={sign_in.confirm_title} zIndex={400}>
      <Stack>
        <Text size="sm">{sign_in.confirm_why}</Text>
        {fault && <Failure fault={fault} />}
        {question && <AtProvider how={{ confirm: true, return_to: location.pathname }} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            {t.cancel}
          </Button>
          <Button leftSection={<IconFingerprint size={18} />} loading={busy} onClick={showPasskey} data-autofocus>
            {sign_in.confirm_do}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
