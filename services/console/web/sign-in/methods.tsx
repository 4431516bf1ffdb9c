/** @jsxImportSource preact */
import { browserSupportsWebAuthn } from '@simplewebauthn/browser'
import { useState } from 'preact/hooks'
import type { RequestFault } from '../admin/fault.ts'
import { signIn, signInAtProvider, signInByEmail } from '../admin/sign-in.ts'
import { Button, Form, InputField } from './controls.tsx'
import { SignInFault } from './sign-in-fault.tsx'
import { type SignInTexts, useSignInTexts } from './texts.tsx'
import { useSignInAction } from './use-sign-in-action.ts'

export interface SignInMethodsProps {
  /** Host name of the operator's own OpenID provider; null: not configured. */
  readonly provider: string | null
  /** Path of the page that providers return to. */
  readonly returnTo: string
  /** Called after a sign-in with a passkey; providers return to `returnTo`. */
  readonly onSignedIn: () => unknown
  /** Error of the previous attempt. */
  readonly previousFault?: RequestFault | undefined
}

/** Ways to sign in: a passkey, the operator's own OpenID provider, or that of the member's company. */
export function SignInMethods({ provider, returnTo, onSignedIn, previousFault }: SignInMethodsProps) {
  const { sign_in: t } = useSignInTexts()
  const signingIn = useSignInAction(async () => {
    await signIn()
    await onSignedIn()
  })
  const fault = signingIn.fault ?? previousFault
  return (
    <div class="stack">
      {!browserSupportsWebAuthn() && <p class="alert warning">{t.unsupported}</p>}
      {fault && <SignInFault fault={fault} says={getFaultText(fault, t)} />}
      <Button look="primary large" icon="fingerprint" isBusy={signingIn.isBusy} onClick={signingIn.run}>
        {t.submit}
      </Button>
      <ProviderSignInButton provider={provider} how={{ return_to: returnTo }} />
      <EmailForm returnTo={returnTo} />
    </div>
  )
}

/** Button to sign in, or to use a link, at the operator's own OpenID provider. */
export function ProviderSignInButton({
  provider,
  how,
}: {
  provider: string | null
  how: Parameters<typeof signInAtProvider>[0]
}) {
  const { sign_in: t } = useSignInTexts()
  const redirecting = useSignInAction(() => signInAtProvider(how))
  if (provider === null) return null
  return (
    <>
      {redirecting.fault && <SignInFault fault={redirecting.fault} />}
      <Button icon="building" isBusy={redirecting.isBusy} onClick={redirecting.run}>
        {t.at_provider({ provider })}
      </Button>
    </>
  )
}

/** Sign-in at the OpenID Provider of the member's company, which is found by the domain of the e-mail address. */
function EmailForm({ returnTo }: { returnTo: string }) {
  const { sign_in: t } = useSignInTexts()
  const [email, setEmail] = useState('')
  const [isUnknown, setUnknown] = useState(false)
  const finding = useSignInAction(async () => setUnknown(!(await signInByEmail({ email, return_to: returnTo }))))
  return (
    <Form run={finding.run}>
      <p class="divider">{t.by_company}</p>
      <InputField
        label={t.email}
        type="email"
        autocomplete="username"
        value={email}
        onChange={setEmail}
        error={isUnknown ? t.no_company : undefined}
      />
      {finding.fault && <SignInFault fault={finding.fault} />}
      <Button isBusy={finding.isBusy}>{t.continue}</Button>
    </Form>
  )
}

/** At sign-in, these faults need other texts than on a page whose session has ended. */
function getFaultText({ fault, message }: RequestFault, t: SignInTexts['sign_in']) {
  if (fault === 'not_signed_in') return { title: t.failed, advice: t.failed_advice }
  // The message says why the provider of an account signed no one in.
  if (fault === 'not_allowed' && message !== '') return { title: t.failed, advice: t.failed_advice }
  if (fault === 'not_allowed') return { title: t.no_member, advice: t.no_member_advice }
  return undefined
}
