import { Text, Title } from '@mantine/core'
import { useEffect } from 'react'
import { useLocation } from 'wouter'
import type { RequestFault } from '../../admin/fault.ts'
import { queryClient } from '../../admin/queries.ts'
import { useTexts } from '../../texts/index.tsx'
import { SignInFrame } from './sign-in-frame.tsx'
import { WaysIn } from './ways-in.tsx'

const signInPlace = '/sign-in'

/** Signs in on whatever page it is shown in place of; that page follows, or where it has one of its own, the first. */
export function SignIn({ refused }: { refused?: RequestFault }) {
  const { sign_in: t, common } = useTexts()
  const [place, navigate] = useLocation()
  const enter = async () => {
    await queryClient.resetQueries()
    if (place === signInPlace) navigate('/', { replace: true })
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
      <WaysIn onSignedIn={enter} {...(refused && { refused })} />
      <Text size="sm" c="dimmed">
        {t.no_passkey}
      </Text>
    </SignInFrame>
  )
}
