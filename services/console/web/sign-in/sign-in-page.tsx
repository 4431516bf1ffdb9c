/** @jsxImportSource preact */
import { useEffect, useState } from 'preact/hooks'
import { formatFaultMessage, RequestFault } from '../admin/fault.ts'
import { loadReasonTexts } from '../texts/reasons.ts'
import { Frame } from './frame.tsx'
import { SignInMethods } from './methods.tsx'
import { useSignInTexts } from './texts.tsx'

/** The sign-in page. After sign-in, the browser loads the requested page, or the first page after `/sign-in`. */
export function SignInPage({ provider, returnTo }: { provider: string | null; returnTo: string }) {
  const { sign_in: t } = useSignInTexts()
  const [fault, setFault] = useState<RequestFault>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the message of the error is in the language of the texts
  useEffect(() => {
    void readReturnedFault().then(setFault)
  }, [t])
  return (
    <Frame title={t.title}>
      <p class="dimmed small">{t.about}</p>
      <SignInMethods
        provider={provider}
        returnTo={returnTo}
        onSignedIn={() => location.replace(returnTo)}
        previousFault={fault}
      />
      <p class="dimmed small">{t.no_passkey}</p>
    </Frame>
  )
}

/** Reads the error with which the callback of a provider returned; undefined: none. */
async function readReturnedFault(): Promise<RequestFault | undefined> {
  const { error, reason, ...values } = Object.fromEntries(new URLSearchParams(location.search))
  if (location.pathname !== '/sign-in' || error === undefined) return undefined
  // Anyone can create such a URL, so only parameters that look like host names are shown.
  const parameters = Object.fromEntries(Object.entries(values).filter(([, value]) => /^[\w.-]{1,253}$/.test(value)))
  // Unknown names are shown as unexpected errors.
  return new RequestFault(
    error as RequestFault['fault'],
    formatFaultMessage({ reason, parameters }, await loadReasonTexts()),
  )
}
