import { Badge, Group, Text } from '@mantine/core'
import type { Login } from '../../admin/types.ts'
import { useExplanations, useTexts } from '../../texts/index.tsx'

export const resultColors = {
  waiting: 'blue',
  abandoned: 'gray',
  completed: 'teal',
  denied: 'yellow',
  failed: 'red',
  rejected: 'orange',
} as const satisfies Record<Login['result'], string>

export function ResultBadge({ result }: Pick<Login, 'result'>) {
  const { logins: t } = useTexts('logins')
  return (
    <Badge variant="light" color={resultColors[result]} style={{ flexShrink: 0 }}>
      {t.results[result]}
    </Badge>
  )
}

/** The result, and what happened in one sentence unless the badge says everything. */
export function ResultWithCause({ result, reason }: Pick<Login, 'result' | 'reason'>) {
  return (
    <Group gap="xs" wrap="nowrap" align="flex-start">
      <ResultBadge result={result} />
      {!isUneventful({ reason }) && <Cause reason={reason} />}
    </Group>
  )
}

function Cause({ reason }: Pick<Login, 'reason'>) {
  const { what } = useExplain()(reason)
  return (
    <Text size="sm" maw={560} miw={200}>
      {what}
    </Text>
  )
}

interface Explanation {
  readonly what: string
  /** What to do; can be empty. */
  readonly advice: string
}

/** Explains reasons: their first sentence says what happened, the others what to do. */
export function useExplain(): (reason: Login['reason']) => Explanation {
  const { logins } = useExplanations()
  return (reason) => {
    const text = logins[reason]
    const [, what = text, advice = ''] = /^(.*?[.。])\s*(.*)$/su.exec(text) ?? []
    return { what, advice }
  }
}

/** Results whose badge says everything. */
export const isUneventful = ({ reason }: Pick<Login, 'reason'>) =>
  reason === 'succeeded' || reason === 'not_returned_yet'
