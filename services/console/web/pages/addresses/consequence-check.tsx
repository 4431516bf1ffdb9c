import { Alert, Code, Stack } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useState } from 'react'
import { call } from '../../admin/call.ts'
import { Cancelled } from '../../admin/fault.ts'
import type { AdminInput, AdminOutput, Site } from '../../admin/types.ts'
import { DataTable } from '../../parts/table/data-table.tsx'
import { TypedConfirmation } from '../../parts/typed-confirmation.tsx'
import { useFormat } from '../../texts/format.ts'
import { useTexts } from '../../texts/index.tsx'

type Callers = AdminOutput<'previewAllowedAddresses'>['blocked']
type Confirmed = NonNullable<AdminInput<'changeSite'>['confirm']>

interface Consequences {
  readonly blocked: Callers
  /** Blocks that allow every address. */
  readonly open: readonly string[]
}

interface PendingQuestion extends Consequences {
  readonly resolve: (confirmed: Confirmed) => void
  readonly reject: (reason: Cancelled) => void
}

/**
 * Checks a list before it is saved, and asks for confirmation if it would block current callers or allow every address.
 *
 * @returns `confirm` resolves with what was confirmed, and throws Cancelled if the dialog is cancelled
 */
export function useConsequenceCheck(site: Site) {
  const [question, setQuestion] = useState<PendingQuestion>()
  const confirm = async (allowedAddresses: string[]): Promise<Confirmed> => {
    const { account, site_id } = site
    const { blocked: callers } = await call('previewAllowedAddresses', {
      account,
      site_id,
      allowed_addresses: allowedAddresses,
    })
    const blocked = callers.filter(({ allowed_now }) => allowed_now)
    const open = allowedAddresses.filter((block) => block.endsWith('/0') && !site.allowed_addresses.includes(block))
    if (blocked.length === 0 && open.length === 0) return []
    return new Promise((resolve, reject) => setQuestion({ blocked, open, resolve, reject }))
  }
  const close = () => setQuestion(undefined)
  const dialog = (
    <ConsequencesDialog
      site={site}
      of={question}
      onConfirm={() => {
        question?.resolve([
          ...(question.blocked.length > 0 ? (['block_callers'] as const) : []),
          ...(question.open.length > 0 ? (['allow_all_addresses'] as const) : []),
        ])
        close()
      }}
      onCancel={() => {
        question?.reject(new Cancelled())
        close()
      }}
    />
  )
  return { confirm, dialog }
}

interface Props {
  readonly site: Site
  /** Absent: the dialog is closed. */
  readonly of: Consequences | undefined
  readonly onConfirm: () => void
  readonly onCancel: () => void
}

function ConsequencesDialog({ site, of, onConfirm, onCancel }: Props) {
  const { addresses: t } = useTexts('addresses')
  const { blocked = [], open = [] } = of ?? {}
  return (
    <TypedConfirmation
      opened={of !== undefined}
      title={blocked.length > 0 ? t.block_title : t.open_title}
      word={site.site_id}
      submit={blocked.length > 0 ? t.block_submit : t.open_submit}
      onConfirm={onConfirm}
      onCancel={onCancel}
    >
      <Stack gap="sm">
        {blocked.length > 0 && (
          <>
            <Alert color="red" icon={<IconAlertTriangle />}>
              {t.block_warning({ callers: blocked.length })}
            </Alert>
            <CallerTable callers={blocked} />
          </>
        )}
        {open.map((block) => (
          <Alert key={block} color="yellow" icon={<IconAlertTriangle />}>
            {t.open_warning({ block, family: block.includes(':') ? 'IPv6' : 'IPv4' })}
          </Alert>
        ))}
      </Stack>
    </TypedConfirmation>
  )
}

/** Callers that a list blocks. */
export function CallerTable({ callers }: { callers: Callers }) {
  const { addresses: t } = useTexts('addresses')
  const format = useFormat()
  return (
    <DataTable
      label={t.blocked_callers}
      rows={callers}
      name={({ address }) => address}
      empty={null}
      columns={[
        { title: t.address, cell: ({ address }) => <Code>{address}</Code> },
        { title: t.calls, number: true, cell: (one) => format.number(one.calls) },
        { title: t.last_called, time: ({ last_called_at }) => last_called_at, relative: true },
      ]}
    />
  )
}
