import { Button, Group, Stack, Text } from '@mantine/core'
import { IconFingerprint } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { AtProvider } from '../pages/sign-in/at-provider.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Failure } from '../parts/failure.tsx'
import { useTexts } from '../texts/index.tsx'
import { Cancelled, faultFrom, RequestFault } from './fault.ts'
import { confirm } from './sign-in.ts'

interface Question {
  readonly answer: () => void
  readonly refuse: (reason: Cancelled) => void
}

let ask: ((question: Question) => void) | undefined

/**
 * Does something that may need the passkey again: then asks for it in a dialog, and does it once more.
 *
 * @throws Cancelled when the person closes the dialog
 */
export async function confirmed<T>(change: () => Promise<T>): Promise<T> {
  try {
    return await change()
  } catch (error) {
    if (!(error instanceof RequestFault) || error.fault !== 'passkey_needed' || ask === undefined) throw error
    await new Promise<void>((answer, refuse) => ask?.({ answer, refuse }))
    return change()
  }
}

/** The dialog that asks for the passkey; there is one, at the root of the page. */
export function Confirmation() {
  const { common: t, sign_in } = useTexts()
  const [question, setQuestion] = useState<Question>()
  const [fault, setFault] = useState<RequestFault>()
  const [busy, setBusy] = useState(false)

  useEffect(() => {
    ask = (next) => {
      setFault(undefined)
      setQuestion(next)
    }
    return () => {
      ask = undefined
    }
  }, [])

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
