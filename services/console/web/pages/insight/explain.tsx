import { Alert, Button, Code, Group, Stack, Table, TextInput } from '@mantine/core'
import { useState } from 'react'
import { call } from '../../admin/call.ts'
import { useAct } from '../../admin/queries.ts'
import type { Output, SiteName } from '../../admin/types.ts'
import { Failure } from '../../parts/failure.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Section } from '../../parts/page.tsx'
import { useFormat } from '../../texts/format.ts'
import { useTexts } from '../../texts/index.tsx'

type Explained = Output<'explainRequest'>

/** What became of one request to the Web API. */
export function Explain({ site }: { site: SiteName }) {
  const { insight: t } = useTexts()
  const [request_id, setRequestId] = useState('')
  const [explained, setExplained] = useState<Explained>()
  const asking = useAct(async () => {
    setExplained(undefined)
    setExplained(await call('explainRequest', { ...site, request_id: request_id.trim() }))
  })
  return (
    <Section title={t.explain} about={t.explain_about}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          asking.run()
        }}
      >
        <Group align="flex-end">
          <TextInput
            label="X-Request-Id"
            placeholder="0190e0a5-7c1c-7f3e-9c53-9f4b8a1d2c3e"
            value={request_id}
            onChange={(event) => setRequestId(event.currentTarget.value)}
            style={{ flex: 1 }}
            maw={480}
            styles={{ input: { fontFamily: 'monospace' } }}
          />
          <Button type="submit" variant="default" loading={asking.busy} disabled={request_id.trim() === ''}>
            {t.explain_do}
          </Button>
        </Group>
      </form>
      {asking.fault && <Failure fault={asking.fault} />}
      {explained && <Explanation of={explained} />}
    </Section>
  )
}

function Explanation({ of }: { of: Explained }) {
  const { insight: t, explanations, common } = useTexts()
  const format = useFormat()
  const facts = [
    [t.at, <Moment key="at" at={of.at} />],
    [t.operation, <Code key="operation">{of.operation}</Code>],
    [t.key, of.api_key_id ?? t.no_key],
    [t.address, <Code key="address">{of.address}</Code>],
    [t.status, of.status],
    [t.code, of.code ?? t.no_error],
    [t.remaining, of.remaining === null ? common.none : format.number(of.remaining)],
    [t.duration, `${format.number(of.duration_ms)} ms`],
  ] as const
  return (
    <Stack role="status">
      <Alert color={of.status < 400 ? 'teal' : 'yellow'}>{explanations[of.explained_as]}</Alert>
      <Table variant="vertical" withTableBorder maw={640}>
        <Table.Tbody>
          {facts.map(([says, value]) => (
            <Table.Tr key={says}>
              <Table.Th w={200}>{says}</Table.Th>
              <Table.Td>{value}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Stack>
  )
}
