import { Alert, Code, Stack } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useState } from 'react'
import { call } from '../../admin/call.ts'
import { Cancelled } from '../../admin/fault.ts'
import type { Input, Output, Site } from '../../admin/types.ts'
import { Moment } from '../../parts/moment.tsx'
import { Rows } from '../../parts/rows.tsx'
import { TypedConfirmation } from '../../parts/typed-confirmation.tsx'
import { useFormat } from '../../texts/format.ts'
import { useTexts } from '../../texts/index.tsx'

type Callers = Output<'rehearseAllowedAddresses'>['refused']
type Confirmed = NonNullable<Input<'changeSite'>['confirm']>

interface Consequences {
  readonly blocked: Callers
  /** Blocks that allow every address. */
  readonly open: readonly string[]
}

interface Question extends Consequences {
  readonly answer: (confirmed: Confirmed) => void
  readonly refuse: (reason: Cancelled) => void
}

/**
 * Checks a list before it is saved, and asks for confirmation if it would block current callers or allow every address.
 *
 * @returns `confirm` resolves with what was confirmed, and throws Cancelled if the dialog is cancelled
 */
export function useConsequences(site: Site) {
  const [question, setQuestion] = useState<Question>()
  const confirm = async (allowedAddresses: string[]): Promise<Confirmed> => {
    const { account, site_id } = site
    const { refused } = await call('rehearseAllowedAddresses', {
      account,
      site_id,
      allowed_addresses: allowedAddresses,
    })
    const blocked = refused.filter(({ allowed_now }) => allowed_now)
    const open = allowedAddresses.filter((block) => block.endsWith('/0') && !site.allowed_addresses.includes(block))
    if (blocked.length === 0 && open.length === 0) return []
    return new Promise((answer, refuse) => setQuestion({ blocked, open, answer, refuse }))
  }
  const close = () => setQuestion(undefined)
  const dialog = (
    <ConsequencesQuestion
      site={site}
      of={question}
      onAgree={() => {
        question?.answer([
          ...(question.blocked.length > 0 ? (['block_callers'] as const) : []),
          ...(question.open.length > 0 ? (['allow_everybody'] as const) : []),
        ])
        close()
      }}
      onRefuse={() => {
        question?.refuse(new Cancelled())
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
  readonly onAgree: () => void
  readonly onRefuse: () => void
}

function ConsequencesQuestion({ site, of, onAgree, onRefuse }: Props) {
  const { addresses: t } = useTexts()
  const { blocked = [], open = [] } = of ?? {}
  return (
    <TypedConfirmation
      opened={of !== undefined}
      title={blocked.length > 0 ? t.block_title : t.open_title}
      word={site.site_id}
      submit={blocked.length > 0 ? t.block_do : t.open_do}
      onAgree={onAgree}
      onRefuse={onRefuse}
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

/** Callers that a list refuses. */
export function CallerTable({ callers }: { callers: Callers }) {
  const { addresses: t } = useTexts()
  const format = useFormat()
  return (
    <Rows
      label={t.refused_table}
      rows={callers}
      name={({ address }) => address}
      empty={null}
      columns={[
        { title: t.address, cell: ({ address }) => <Code>{address}</Code> },
        { title: t.calls, number: true, cell: (one) => format.number(one.calls) },
        { title: t.last_called, cell: ({ last_called_at }) => <Moment at={last_called_at} relative /> },
      ]}
    />
  )
}
