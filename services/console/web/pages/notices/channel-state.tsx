import { Badge } from '@mantine/core'
import type { NoticeChannel } from '../../admin/types.ts'
import { useTexts } from '../../texts/index.tsx'

const colors = { active: 'teal', failing: 'red', unconfirmed: 'orange' } as const

export function ChannelState({ of: { confirmed_at, last_error } }: { of: NoticeChannel }) {
  const { notices: t } = useTexts('notices')
  const confirmed = last_error === null ? 'active' : 'failing'
  const state = confirmed_at === null ? 'unconfirmed' : confirmed
  return (
    <Badge variant="light" color={colors[state]}>
      {t.states[state]}
    </Badge>
  )
}

/** Returns a function that says why a message was not delivered, and what to do. */
export function useDescribeError(): (
  error: NonNullable<NoticeChannel['last_error']>,
  status: number | null,
  channel: Pick<NoticeChannel, 'email_address'>,
) => string {
  const { notices: t } = useTexts('notices')
  const { errors } = t
  return (error, status, { email_address }) => {
    if (error !== 'rejected') return errors[error]
    const describe = email_address === null ? errors.rejected_chat : errors.rejected_email
    return describe({ status: String(status ?? '') })
  }
}
