import { Alert, Button } from '@mantine/core'
import { browserSupportsWebAuthn } from '@simplewebauthn/browser'
import { IconFingerprint } from '@tabler/icons-react'
import type { RequestFault } from '../../admin/fault.ts'
import { signIn } from '../../admin/sign-in.ts'
import { useAction } from '../../admin/use-action.ts'
import { FaultAlert } from '../../parts/fault-alert.tsx'
import { useTexts } from '../../texts/index.tsx'
import { EmailSignIn } from './email-sign-in.tsx'
import { ProviderSignInButton } from './provider-sign-in-button.tsx'

interface Props {
  readonly onSignedIn: () => Promise<unknown>
  /** Error of the previous attempt. */
  readonly previousFault?: RequestFault
}

/** Buttons to sign in with a passkey, or with the operator's own OpenID provider. */
export function SignInMethods({ onSignedIn, previousFault }: Props) {
  const { sign_in: t } = useTexts()
  const signingIn = useAction(async () => {
    await signIn()
    await onSignedIn()
  })
  const fault = signingIn.fault ?? previousFault
  const returnTo = location.pathname === '/sign-in' ? '/' : location.pathname
  return (
    <>
      {!browserSupportsWebAuthn() && <Alert color="yellow">{t.unsupported}</Alert>}
      {fault && <FaultAlert fault={fault} says={getFaultText(fault, t)} />}
      <Button
        size="md"
        leftSection={<IconFingerprint size={20} />}
        loading={signingIn.isBusy}
        onClick={() => signingIn.run()}
      >
        {t.submit}
      </Button>
      <ProviderSignInButton how={{ return_to: returnTo }} />
      <EmailSignIn return_to={returnTo} />
    </>
  )
}

/** At sign-in, these faults need other texts than on a page whose session has ended. */
function getFaultText({ fault, message }: RequestFault, t: ReturnType<typeof useTexts>['sign_in']) {
  if (fault === 'not_signed_in') return { title: t.failed, advice: t.failed_advice }
  // The message says why the provider of an account signed no one in.
  if (fault === 'not_allowed' && message !== '') return { title: t.failed, advice: t.failed_advice }
  if (fault === 'not_allowed') return { title: t.no_member, advice: t.no_member_advice }
  return undefined
}
