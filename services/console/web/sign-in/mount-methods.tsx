/** @jsxImportSource preact */
import './sign-in.css'
import { render } from 'preact'
import { getReturnPath, readSignInState } from '../admin/sign-in.ts'
import { SignInMethods } from './methods.tsx'
import { loadSignInTexts, SignInTextsProvider } from './texts.tsx'

/** Shows the ways to sign in within an element of another page, until the returned function is called. */
export async function mountSignInMethods(element: HTMLElement, onSignedIn: () => unknown): Promise<() => void> {
  const [texts, { provider }] = await Promise.all([
    loadSignInTexts(),
    readSignInState().catch(() => ({ provider: null })),
  ])
  render(
    <SignInTextsProvider first={texts}>
      <SignInMethods provider={provider} returnTo={getReturnPath()} onSignedIn={onSignedIn} />
    </SignInTextsProvider>,
    element,
  )
  return () => render(null, element)
}
