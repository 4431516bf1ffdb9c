import { Alert, Button, Group, Paper, Progress, Text } from '@mantine/core'
import type { ReadSummary } from '../../../import-files/summary.ts'
import { FaultAlert } from '../../parts/fault-alert.tsx'
import { useTexts } from '../../texts/index.tsx'
import type { Sending } from './use-sending.ts'

/** What was not imported of a file, and how many users cannot log in; nothing if there is none. */
function ImportNotes({ of: { omitted, without_account, empty_rows } }: { of: ReadSummary }) {
  const { imports: t } = useTexts('imports')
  const lines = [
    ...[...omitted].map(([name, { count }]) => t.omitted_of({ name, count })),
    ...(without_account > 0 ? [t.without_account({ count: without_account })] : []),
    ...(empty_rows > 0 ? [t.empty_rows({ count: empty_rows })] : []),
  ]
  if (lines.length === 0) return null
  return (
    <Alert color="yellow" title={t.to_note}>
      {lines.map((line) => (
        <Text key={line} size="sm">
          {line}
        </Text>
      ))}
    </Alert>
  )
}

/** The progress of the file that is being sent, or why sending it ended. */
export function SendingProgress({ sent, fault, summary, stop }: Sending) {
  const { imports: t, common } = useTexts('imports')
  if (sent === undefined && fault !== undefined) return <FaultAlert fault={fault} />
  if (sent === undefined) return summary === undefined ? null : <ImportNotes of={summary} />
  const { created, merged, replaced, skipped, rejected } = sent.imported
  const label = t.sending({
    file: sent.imported.file_name,
    lines: created + merged + replaced + skipped + rejected,
    percent: Math.floor(sent.share * 100),
  })
  return (
    <Paper withBorder p="md" role="status">
      <Group justify="space-between" mb="xs">
        <Text size="sm">{label}</Text>
        <Button size="compact-sm" variant="default" onClick={stop}>
          {common.cancel}
        </Button>
      </Group>
      <Progress value={sent.share * 100} animated aria-label={label} />
      <Text size="xs" c="dimmed" mt="xs">
        {t.stay}
      </Text>
    </Paper>
  )
}
