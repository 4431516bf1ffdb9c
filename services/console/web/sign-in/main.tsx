/** @jsxImportSource preact */
import './document.css'
import './sign-in.css'
import { render } from 'preact'
import { getReturnPath, readSignInState } from '../admin/sign-in.ts'
import { followColorScheme } from './color-scheme.ts'
import { LinkPage } from './link-page.tsx'
import { NoticePage } from './notice-page.tsx'
import { SignInPage } from './sign-in-page.tsx'
import { loadSignInTexts, SignInTextsProvider } from './texts.tsx'

const root = document.getElementById('root')
if (root === null) throw new Error('sign-in.html has no #root.')
const { pathname, hash } = location
followColorScheme()
// Another link is pasted into the address of this page.
addEventListener('hashchange', () => location.reload())

const [texts, { provider, signed_in }] = await Promise.all([
  loadSignInTexts(),
  // Without it, the page still has the other ways to sign in.
  readSignInState().catch(() => ({ provider: null, signed_in: false })),
])

// Browsers do not send the session's cookie when another site, or a provider, leads to the console: the service then answers with this
// document. The browser sends it when the document itself loads the page.
if (signed_in && pathname !== '/sign-in' && pathname !== '/notices/confirm') location.replace(getReturnPath())
else {
  // Tokens are in the fragment, so that they are in no server log.
  const token = hash.slice(1)
  if (pathname === '/sign-in' && token !== '') history.replaceState(null, '', pathname)
  root.removeAttribute('aria-busy')
  render(<SignInTextsProvider first={texts}>{choosePage(token)}</SignInTextsProvider>, root)
}

function choosePage(token: string) {
  if (pathname === '/notices/confirm') return <NoticePage token={token} />
  if (pathname !== '/sign-in') return <SignInPage provider={provider} returnTo={getReturnPath()} />
  return token === '' ? <SignInPage provider={provider} returnTo="/" /> : <LinkPage token={token} provider={provider} />
}
