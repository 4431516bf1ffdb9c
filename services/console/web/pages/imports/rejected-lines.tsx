import { Button, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconDownload } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { call } from '../../admin/call.ts'
import { formatFaultMessage } from '../../admin/fault.ts'
import { useRead } from '../../admin/queries.ts'
import type { AdminOutput, SiteReference, UserImport } from '../../admin/types.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { DataTable } from '../../parts/table/data-table.tsx'
import { saveAsCsv } from '../../parts/table/save-as-csv.ts'
import { useReasonTexts, useTexts } from '../../texts/index.tsx'
import type { TranslateReason } from '../../texts/reasons.ts'

const shownLines = 50
const pageSize = 1_000

type Rejection = AdminOutput<'listImportRejections'>['rejections'][number]

/** A button that shows the first rejected lines, and downloads all of them. */
export function RejectedLines({ site, of }: { site: SiteReference; of: UserImport }) {
  const { imports: t } = useTexts('imports')
  const [opened, dialog] = useDisclosure()
  return (
    <>
      <Button size="compact-sm" variant="light" color="red" onClick={dialog.open}>
        {t.rejections}
      </Button>
      <Dialog opened={opened} onClose={dialog.close} title={t.rejections_of({ file: of.file_name })} size="xl">
        <Suspense>
          <RejectionList site={site} of={of} />
        </Suspense>
      </Dialog>
    </>
  )
}

function RejectionList({ site, of: { import_id } }: { site: SiteReference; of: UserImport }) {
  const { imports: t } = useTexts('imports')
  const translate = useReasonTexts()
  const query = useRead('listImportRejections', { ...site, import_id, limit: shownLines })
  return (
    <Loaded of={query}>
      {({ rejections, more }) => (
        <>
          <DataTable
            label={t.rejections}
            rows={rejections.flatMap(({ line, problems }) =>
              problems.map((problem, index) => ({ id: `${line} ${index}`, line, ...problem })),
            )}
            name={({ id }) => id}
            empty={t.no_rejections}
            columns={[
              { title: t.line, number: true, value: ({ line }) => line },
              { title: t.field, value: ({ field }) => field },
              { title: t.reason, cell: (problem) => formatFaultMessage(problem, translate) },
            ]}
          />
          {more && (
            <Text size="sm" c="dimmed" my="sm">
              {t.more_rejections({ count: shownLines })}
            </Text>
          )}
          <DownloadRejections site={site} import_id={import_id} />
        </>
      )}
    </Loaded>
  )
}

function DownloadRejections({ site, import_id }: { site: SiteReference; import_id: string }) {
  const { imports: t } = useTexts('imports')
  const translate = useReasonTexts()
  const [isBusy, setBusy] = useState(false)
  const download = async () => {
    setBusy(true)
    try {
      saveAsCsv(`rejected-${import_id}.csv`, toRows(await readAll(site, import_id), translate))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button variant="light" loading={isBusy} leftSection={<IconDownload size={18} />} onClick={() => void download()}>
      {t.download}
    </Button>
  )
}

async function readAll(site: SiteReference, importId: string): Promise<Rejection[]> {
  const all: Rejection[] = []
  for (;;) {
    const after = all.at(-1)?.line ?? 0
    const page = await call('listImportRejections', {
      ...site,
      import_id: importId,
      limit: pageSize,
      after_line: after,
    })
    all.push(...page.rejections)
    if (!page.more) return all
  }
}

/** The titles of the columns are those of the report of the command line. */
function toRows(rejections: readonly Rejection[], translate: TranslateReason): readonly (string | number)[][] {
  const rows = rejections.flatMap(({ line, problems }) =>
    problems.map((problem) => [line, problem.field, formatFaultMessage(problem, translate)]),
  )
  return [['line', 'field', 'reason'], ...rows]
}
