import { Stack, Text } from '@mantine/core'
import { call } from '../../admin/call.ts'
import { queryClient } from '../../admin/queries.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { useTexts } from '../../texts/index.tsx'
import { SignInMethods } from './sign-in-methods.tsx'

/** Shown over a page whose session has ended. The page keeps its input if the same member signs in again. */
export function SignInAgainDialog({ member_id }: { member_id: string }) {
  const { sign_in: t } = useTexts()
  const resume = async () => {
    const { member } = await call('readMe', {})
    if (member.member_id !== member_id) location.reload()
    else await queryClient.invalidateQueries()
  }
  return (
    <Dialog opened onClose={() => undefined} title={t.session_ended_title} withCloseButton={false} zIndex={500}>
      <Stack>
        <Text size="sm">{t.session_ended_about}</Text>
        <SignInMethods onSignedIn={resume} />
      </Stack>
    </Dialog>
  )
}
