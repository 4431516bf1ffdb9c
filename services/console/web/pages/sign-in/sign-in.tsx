import { Text, Title } from '@mantine/core'
import { useEffect } from 'react'
import { useLocation } from 'wouter'
import type { RequestFault } from '../../admin/fault.ts'
import { queryClient } from '../../admin/queries.ts'
import { useTexts } from '../../texts/index.tsx'
import { SignInFrame } from './sign-in-frame.tsx'
import { SignInMethods } from './sign-in-methods.tsx'

const signInPath = '/sign-in'

/** Replaces any page without a session. After sign-in, the requested page is shown, or the first page after `/sign-in`. */
export function SignInPage({ previousFault }: { previousFault?: RequestFault }) {
  const { sign_in: t, common } = useTexts()
  const [path, navigate] = useLocation()
  const showConsole = async () => {
    await queryClient.resetQueries()
    if (path === signInPath) navigate('/', { replace: true })
  }
  useEffect(() => {
    document.title = `${t.title} – ${common.console}`
  }, [t, common])

  return (
    <SignInFrame>
      <Title order={1} size="h3">
        {t.title}
      </Title>
      <Text c="dimmed" size="sm">
        {t.about}
      </Text>
      <SignInMethods onSignedIn={showConsole} {...(previousFault && { previousFault })} />
      <Text size="sm" c="dimmed">
        {t.no_passkey}
      </Text>
    </SignInFrame>
  )
}
