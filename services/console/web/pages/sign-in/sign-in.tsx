import { Alert, Button, Text, Title } from '@mantine/core'
import { browserSupportsWebAuthn } from '@simplewebauthn/browser'
import { IconFingerprint } from '@tabler/icons-react'
import { useEffect } from 'react'
import type { Fault } from '../../admin/fault.ts'
import { queryClient, useAct } from '../../admin/queries.ts'
import { signIn } from '../../admin/sign-in.ts'
import { Failure } from '../../parts/failure.tsx'
import { useTexts } from '../../texts/index.tsx'
import { AtProvider } from './at-provider.tsx'
import { SignInFrame } from './sign-in-frame.tsx'

/** Signs in with a passkey, on whatever page it is shown in place of; that page follows. */
export function SignIn({ refused }: { refused?: Fault }) {
  const { sign_in: t, common } = useTexts()
  const signing_in = useAct(async () => {
    await signIn()
    await queryClient.resetQueries()
  })
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
      {!browserSupportsWebAuthn() && <Alert color="yellow">{t.unsupported}</Alert>}
      {refused && !signing_in.fault && <Failure fault={refused} />}
      {signing_in.fault && <Failure fault={signing_in.fault} />}
      <Button
        size="md"
        leftSection={<IconFingerprint size={20} />}
        loading={signing_in.busy}
        onClick={() => signing_in.run()}
      >
        {t.do}
      </Button>
      <AtProvider how={{ return_to: location.pathname === '/sign-in' ? '/' : location.pathname }} />
      <Text size="sm" c="dimmed">
        {t.no_passkey}
      </Text>
    </SignInFrame>
  )
}
