import { Alert, Stack } from '@mantine/core'
import { type Fact, FactTable } from '../../parts/fact-table.tsx'

interface Props {
  readonly isSuccess: boolean
  /** The result, in a sentence. */
  readonly result: string
  readonly facts: readonly Fact[]
}

/** A request: its result, and a table of details. */
export function RequestFacts({ isSuccess, result, facts }: Props) {
  return (
    <Stack role="status">
      <Alert color={isSuccess ? 'teal' : 'yellow'}>{result}</Alert>
      <FactTable facts={facts} />
    </Stack>
  )
}
