import { Badge, Button, Code, Group, Select, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconRepeat } from '@tabler/icons-react'
import { useState } from 'react'
import { mutate, useRead } from '../../admin/queries.ts'
import type { AdminOutput, SiteReference, Webhook } from '../../admin/types.ts'
import { useAction } from '../../admin/use-action.ts'
import { DateTime } from '../../parts/date-time.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { FaultAlert } from '../../parts/fault-alert.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Section } from '../../parts/page.tsx'
import { DataTable } from '../../parts/table/data-table.tsx'
import { useTexts } from '../../texts/index.tsx'
import { AttemptDetails } from './attempt.tsx'

type Delivery = AdminOutput<'listWebhookDeliveries'>['deliveries'][number]
type Filter = Delivery['status'] | 'all'

const refreshMs = 10_000
const pageSize = 20
const colors = { waiting: 'orange', delivered: 'teal', failed: 'red' } as const

/** The events that were sent to a webhook, newest first. */
export function Deliveries({ site, webhook: { endpoint_id } }: { site: SiteReference; webhook: Webhook }) {
  const { webhooks: t, common } = useTexts('webhooks')
  const [filter, setFilter] = useState<Filter>('all')
  const [before, setBefore] = useState<number>()
  const name = { ...site, endpoint_id }
  const query = useRead(
    'listWebhookDeliveries',
    {
      ...name,
      limit: pageSize,
      ...(filter === 'all' ? {} : { delivery_status: filter }),
      ...(before === undefined ? {} : { before }),
    },
    { intervalMs: refreshMs },
  )
  const replay = useAction((eventIds: string[]) => mutate('replayWebhookDeliveries', { ...name, event_ids: eventIds }))
  const replayFailed = useAction(() => mutate('replayWebhookDeliveries', { ...name, failed: true }))
  const fault = replay.fault ?? replayFailed.fault
  const filters = (['all', 'waiting', 'delivered', 'failed'] as const).map((value) => ({
    value,
    label: t.filters[value],
  }))
  return (
    <Section
      title={t.deliveries}
      about={t.deliveries_about}
      actions={
        <Button variant="default" loading={replayFailed.isBusy} onClick={() => replayFailed.run()}>
          {t.replay_failed}
        </Button>
      }
    >
      <Select
        data={filters}
        value={filter}
        allowDeselect={false}
        maw={240}
        onChange={(value) => {
          setFilter(value ?? 'all')
          setBefore(undefined)
        }}
        aria-label={t.state}
      />
      {fault && <FaultAlert fault={fault} />}
      <Loaded of={query}>
        {({ deliveries }) => (
          <Stack>
            <DataTable
              label={t.deliveries}
              keep="deliveries"
              isPage
              rows={deliveries}
              name={({ event_id }) => event_id}
              empty={t.no_deliveries}
              columns={[
                { title: t.event, cell: ({ type }) => <Code>{type}</Code> },
                {
                  title: t.state,
                  cell: ({ status }) => (
                    <Badge variant="light" color={colors[status]}>
                      {t.filters[status]}
                    </Badge>
                  ),
                },
                { title: t.last_attempt, cell: (delivery) => <LastAttempt of={delivery} /> },
                {
                  title: t.next_attempt,
                  cell: ({ next_attempt_at }) => next_attempt_at && <DateTime at={next_attempt_at} relative />,
                },
                {
                  title: null,
                  number: true,
                  cell: ({ event_id }) => (
                    <Button
                      size="compact-sm"
                      variant="light"
                      leftSection={<IconRepeat size={16} />}
                      onClick={() => replay.run([event_id])}
                    >
                      {t.replay}
                    </Button>
                  ),
                },
              ]}
            />
            <Group justify="flex-end">
              {before !== undefined && (
                <Button variant="default" onClick={() => setBefore(undefined)}>
                  {t.newest}
                </Button>
              )}
              {deliveries.length === pageSize && (
                <Button variant="default" onClick={() => setBefore(deliveries.at(-1)?.sequence)}>
                  {common.next}
                </Button>
              )}
            </Group>
          </Stack>
        )}
      </Loaded>
    </Section>
  )
}

/** The result of the last attempt; a dialog has all of them. */
function LastAttempt({ of: { attempts, event_id } }: { of: Delivery }) {
  const { webhooks: t } = useTexts('webhooks')
  const [opened, dialog] = useDisclosure()
  const last = attempts.at(-1)
  if (last === undefined) return null
  return (
    <>
      <Button size="compact-sm" variant="subtle" onClick={dialog.open}>
        {last.error === null ? t.http({ status: last.status ?? 0 }) : t.errors[last.error]}
        {attempts.length > 1 && ` (${t.attempts({ count: attempts.length })})`}
      </Button>
      <Dialog opened={opened} onClose={dialog.close} title={t.attempts({ count: attempts.length })} size="lg">
        <Stack>
          <Text size="sm">
            webhook-id: <Code>{event_id}</Code>
          </Text>
          {attempts.toReversed().map((attempt) => (
            <AttemptDetails key={attempt.at} of={attempt} />
          ))}
        </Stack>
      </Dialog>
    </>
  )
}
