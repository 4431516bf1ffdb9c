import { Button, Divider, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { signInByEmail } from '../../admin/sign-in.ts'
import { useAction } from '../../admin/use-action.ts'
import { FaultAlert } from '../../parts/fault-alert.tsx'
import { useTexts } from '../../texts/index.tsx'

/** Sign-in at the OpenID Provider of the member's company, which is found by the domain of the e-mail address. */
export function EmailSignIn({ return_to }: { return_to: string }) {
  const { sign_in: t } = useTexts()
  const [email, setEmail] = useState('')
  const [isUnknown, setUnknown] = useState(false)
  const finding = useAction(async () => setUnknown(!(await signInByEmail({ email, return_to }))))
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        finding.run()
      }}
    >
      <Stack>
        <Divider label={t.by_company} />
        <TextInput
          label={t.email}
          type="email"
          autoComplete="username"
          value={email}
          onChange={({ currentTarget }) => setEmail(currentTarget.value)}
          error={isUnknown && t.no_company}
          required
        />
        {finding.fault && <FaultAlert fault={finding.fault} />}
        <Button type="submit" variant="default" loading={finding.isBusy}>
          {t.continue}
        </Button>
      </Stack>
    </form>
  )
}
