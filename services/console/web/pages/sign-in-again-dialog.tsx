import { Stack, Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import { call } from '../admin/call.ts'
import { queryClient } from '../admin/queries.ts'
import { Dialog } from '../parts/dialog.tsx'
import { useTexts } from '../texts/index.tsx'

/** Shown over a page whose session has ended. The page keeps its input if the same member signs in again. */
export function SignInAgainDialog({ member_id }: { member_id: string }) {
  const { sign_in: t } = useTexts()
  const [methods, setMethods] = useState<HTMLElement | null>(null)
  useEffect(() => {
    if (methods === null) return
    const resume = async () => {
      const { member } = await call('readMe', {})
      if (member.member_id !== member_id) location.reload()
      else await queryClient.invalidateQueries()
    }
    // The pages before sign-in have the only ways to sign in, and are not written with React.
    const mounting = import('../sign-in/mount-methods.tsx').then((part) => part.mountSignInMethods(methods, resume))
    return () => void mounting.then((unmount) => unmount())
  }, [methods, member_id])
  return (
    <Dialog opened onClose={() => undefined} title={t.session_ended_title} withCloseButton={false} zIndex={500}>
      <Stack>
        <Text size="sm">{t.session_ended_about}</Text>
        <div className="sign-in" ref={setMethods} />
      </Stack>
    </Dialog>
  )
}
