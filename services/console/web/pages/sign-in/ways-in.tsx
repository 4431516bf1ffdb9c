import { Alert, Button } from '@mantine/core'
import { browserSupportsWebAuthn } from '@simplewebauthn/browser'
import { IconFingerprint } from '@tabler/icons-react'
import type { RequestFault } from '../../admin/fault.ts'
import { signIn } from '../../admin/sign-in.ts'
import { useAct } from '../../admin/use-act.ts'
import { Failure } from '../../parts/failure.tsx'
import { useTexts } from '../../texts/index.tsx'
import { AtProvider } from './at-provider.tsx'

interface Props {
  readonly onSignedIn: () => Promise<unknown>
  /** Why an earlier attempt came to nothing. */
  readonly refused?: RequestFault
}

/** The passkey, and the operator's own OpenID provider where there is one. */
export function WaysIn({ onSignedIn, refused }: Props) {
  const { sign_in: t } = useTexts()
  const signingIn = useAct(async () => {
    await signIn()
    await onSignedIn()
  })
  const fault = signingIn.fault ?? refused
  return (
    <>
      {!browserSupportsWebAuthn() && <Alert color="yellow">{t.unsupported}</Alert>}
      {fault && <Failure fault={fault} says={saysOf(fault, t)} />}
      <Button
        size="md"
        leftSection={<IconFingerprint size={20} />}
        loading={signingIn.busy}
        onClick={() => signingIn.run()}
      >
        {t.do}
      </Button>
      <AtProvider how={{ return_to: location.pathname === '/sign-in' ? '/' : location.pathname }} />
    </>
  )
}

/** Who was not signed in before needs other words than one whose session has ended. */
function saysOf({ fault }: RequestFault, t: ReturnType<typeof useTexts>['sign_in']) {
  if (fault === 'not_signed_in') return { title: t.refused, advice: t.refused_advice }
  if (fault === 'not_allowed') return { title: t.unknown, advice: t.unknown_advice }
  return undefined
}
