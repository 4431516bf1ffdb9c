import { Alert, Button, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useRead } from '../../admin/queries.ts'
import type { DeletedUserReceipt, SiteReference } from '../../admin/types.ts'
import { CopyableValue } from '../../parts/copyable-value.tsx'
import { DateTime } from '../../parts/date-time.tsx'
import { FactTable } from '../../parts/fact-table.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { DataTable } from '../../parts/table/data-table.tsx'
import { useTexts } from '../../texts/index.tsx'
import { type ReceiptClaims, readReceipt } from './read-receipt.ts'

const refreshMs = 2_000

/** The receipt of a deleted user: which service deleted what and when, and what stays. */
export function ErasurePage({ site, identifier }: { site: SiteReference; identifier: string }) {
  const { erasures: t } = useTexts('erasures')
  const query = useRead(
    'readErasureReceipt',
    { ...site, identifier },
    {
      intervalMs: (read) => read?.receipt === null && refreshMs,
      isFinal: (read) => typeof read?.receipt === 'string',
    },
  )
  const receipt = query.data?.receipt ?? null
  return (
    <Page
      title={t.one}
      about={t.one_about}
      actions={receipt !== null && <Download receipt={receipt} of={identifier} />}
    >
      <Loaded of={query}>{(erasure) => <Details erasure={erasure} />}</Loaded>
    </Page>
  )
}

function Download({ receipt, of: identifier }: { receipt: string; of: string }) {
  const { erasures: t } = useTexts('erasures')
  const save = () => {
    const url = URL.createObjectURL(new Blob([receipt], { type: 'application/erasure-receipt+jwt' }))
    const link = document.createElement('a')
    link.href = url
    link.download = `erasure-${identifier}.jwt`
    link.click()
    URL.revokeObjectURL(url)
  }
  return (
    <Button variant="default" leftSection={<IconDownload size={18} />} onClick={save}>
      {t.download}
    </Button>
  )
}

function Details({ erasure }: { erasure: DeletedUserReceipt }) {
  const { erasures: t } = useTexts('erasures')
  const { identifier, requested_by, requested_at, deleted_at, completed_at, pending, receipt } = erasure
  return (
    <>
      <CopyableValue label={t.identifier} value={identifier} />
      <FactTable
        label={t.one}
        facts={[
          [t.requested_by, t.causes[requested_by]],
          [t.requested_at, <DateTime key="requested" at={requested_at} />],
          [t.deleted_at, <DateTime key="deleted" at={deleted_at} />],
          [t.completed_at, completed_at !== null && <DateTime key="completed" at={completed_at} />],
        ]}
      />
      {receipt === null ? (
        <Alert color="gray" title={t.pending}>
          {pending.length === 0 ? t.signing : t.waiting({ services: pending.join(', ') })}
        </Alert>
      ) : (
        <Contents claims={readReceipt(receipt)} />
      )}
    </>
  )
}

/** What the receipt says. The console does not verify the signature: the receipt comes from the service itself. */
function Contents({ claims: { services, retained } }: { claims: ReceiptClaims }) {
  const { erasures: t, held_data } = useTexts('erasures', 'held_data')
  const rows = services.flatMap(({ service, erased_at, deleted }) =>
    Object.entries(deleted).map(([kind, count]) => ({ service, erased_at, kind, count })),
  )
  const titles: Readonly<Record<string, { readonly title: string } | undefined>> = held_data.kinds
  const titleOf = (kind: string) => titles[kind]?.title ?? kind
  const holders: Readonly<Record<string, string | undefined>> = t.holders
  // Receipts of other releases can have kinds that this one does not know.
  const texts: Readonly<Record<string, { readonly holds: string; readonly kept: string } | undefined>> =
    t.retained_kinds
  return (
    <>
      <Section title={t.deleted} about={t.deleted_about}>
        <DataTable
          label={t.deleted}
          rows={rows}
          name={({ kind }) => kind}
          empty={t.empty}
          columns={[
            { title: t.data, value: ({ kind }) => titleOf(kind) },
            { title: t.count, number: true, value: ({ count }) => count },
            { title: t.service, value: ({ service }) => service },
            { title: t.erased_at, time: ({ erased_at }) => erased_at },
          ]}
        />
      </Section>
      <Section title={t.retained} about={t.retained_about}>
        <DataTable
          label={t.retained}
          rows={retained}
          name={({ kind }) => kind}
          empty={t.empty}
          columns={[
            { title: t.data, cell: ({ kind, holds }) => <Text size="sm">{texts[kind]?.holds ?? holds}</Text> },
            { title: t.kept, cell: ({ kind, kept }) => <Text size="sm">{texts[kind]?.kept ?? kept}</Text> },
            { title: t.holder, value: ({ kind, holder }) => holders[kind] ?? holder },
          ]}
        />
      </Section>
    </>
  )
}
