import { Button, Group, Paper, Progress, Text } from '@mantine/core'
import { FaultAlert } from '../../parts/fault-alert.tsx'
import { useTexts } from '../../texts/index.tsx'
import type { Sending } from './use-sending.ts'

/** The progress of the file that is being sent, or why sending it ended. */
export function SendingProgress({ sent, fault, stop }: Sending) {
  const { imports: t, common } = useTexts('imports')
  if (sent === undefined) return fault === undefined ? null : <FaultAlert fault={fault} />
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
