import { Button, Group, Stack, Text } from '@mantine/core'
import { IconBuildingSkyscraper, IconFingerprint } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Dialog } from '../parts/dialog.tsx'
import { FaultAlert } from '../parts/fault-alert.tsx'
import { useTexts } from '../texts/index.tsx'
import { call } from './call.ts'
import { Cancelled, RequestFault, toFault } from './fault.ts'
import { confirmWithPasskey, signInAtProvider } from './sign-in.ts'
import { useAction } from './use-action.ts'

interface PendingConfirmation {
  readonly resolve: () => void
  readonly reject: (reason: Cancelled) => void
}

let openDialog: ((question: PendingConfirmation) => void) | undefined

/**
 * Runs a change. If it requires a confirmation, opens the dialog and repeats the change after it.
 *
 * @throws Cancelled if the user closes the dialog
 */
export async function withConfirmation<T>(change: () => Promise<T>): Promise<T> {
  try {
    return await change()
  } catch (error) {
    if (!(error instanceof RequestFault) || error.fault !== 'passkey_required' || openDialog === undefined) throw error
    await new Promise<void>((resolve, reject) => openDialog?.({ resolve, reject }))
    return change()
  }
}

/** The confirmation dialog. There is one, at the root of the page. */
export function ConfirmationDialog() {
  const { common: t, sign_in } = useTexts()
  const [question, setQuestion] = useState<PendingConfirmation>()
  const [fault, setFault] = useState<RequestFault>()
  const [busy, setBusy] = useState(false)

  useEffect(() => {
    openDialog = (next) => {
      setFault(undefined)
      setQuestion(next)
    }
    return () => {
      openDialog = undefined
    }
  }, [])

  async function showPasskey() {
    setBusy(true)
    try {
      await confirmWithPasskey()
      question?.resolve()
      setQuestion(undefined)
    } catch (error) {
      if (!(error instanceof Cancelled)) setFault(toFault(error))
    } finally {
      setBusy(false)
    }
  }

  function close() {
    question?.reject(new Cancelled())
    setQuestion(undefined)
  }

  return (
    <Dialog opened={question !== undefined} onClose={close} title={sign_in.confirm_title} zIndex={400}>
      <Stack>
        <Text size="sm">{sign_in.confirm_about}</Text>
        {fault && <FaultAlert fault={fault} />}
        {question && <ProviderButton />}
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            {t.cancel}
          </Button>
          <Button leftSection={<IconFingerprint size={18} />} loading={busy} onClick={showPasskey} data-autofocus>
            {sign_in.confirm_submit}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}

/** Button to confirm at the provider with which the member can sign in. */
function ProviderButton() {
  const { sign_in: t } = useTexts()
  const { data: provider } = useQuery({
    queryKey: ['ownProvider'],
    queryFn: async () => (await call('readMe', {})).provider,
    staleTime: Infinity,
  })
  const redirecting = useAction(() => signInAtProvider({ confirm: true, return_to: location.pathname }))
  if (!provider) return null
  return (
    <>
      {redirecting.fault && <FaultAlert fault={redirecting.fault} />}
      <Button
        variant="default"
        leftSection={<IconBuildingSkyscraper size={20} />}
        loading={redirecting.isBusy}
        onClick={() => redirecting.run()}
      >
        {t.at_provider({ provider })}
      </Button>
    </>
  )
}
