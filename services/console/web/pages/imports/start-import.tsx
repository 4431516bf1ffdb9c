import { conflictRules } from 'virtual:contract'
import { Button, Checkbox, FileButton, FileInput, Select } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { mutate } from '../../admin/queries.ts'
import type { SiteReference, UserImport } from '../../admin/types.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { useTexts } from '../../texts/index.tsx'
import type { Sending } from './use-sending.ts'

const accepted = '.ndjson,.jsonl,.json,.gz'

interface Values extends Record<string, unknown> {
  file: File | null
  conflict: UserImport['conflict']
  dry_run: boolean
}

/** Starts an import of a file. Without another choice, it only checks the file. */
export function StartImport({
  site,
  send,
  isSending,
}: {
  site: SiteReference
  send: Sending['send']
  isSending: boolean
}) {
  const { imports: t } = useTexts('imports')
  return (
    <FormDialog<Values>
      label={t.start}
      button={{ leftSection: <IconUpload size={18} />, disabled: isSending }}
      initial={{ file: null, conflict: 'fail', dry_run: true }}
      validate={{ file: (file) => (file === null ? t.file_missing : null) }}
      fields={(form) => (
        <>
          <FileInput
            label={t.file}
            description={t.file_hint}
            placeholder={t.file_choose}
            accept={accepted}
            required
            data-autofocus
            {...form.getInputProps('file')}
          />
          <Select
            label={t.rule}
            description={t.rule_hint}
            data={conflictRules.map((value) => ({ value, label: t.rules[value] }))}
            allowDeselect={false}
            {...form.getInputProps('conflict')}
          />
          <Checkbox
            label={t.dry_run_first}
            description={t.dry_run_hint}
            {...form.getInputProps('dry_run', { type: 'checkbox' })}
          />
        </>
      )}
      save={async ({ file, conflict, dry_run }) => {
        // The form is valid.
        if (file === null) return undefined
        send(await mutate('startImport', { ...site, file_name: file.name.slice(-255), conflict, dry_run }), file)
        return undefined
      }}
    />
  )
}

/** Continues an interrupted import with the same file. */
export function ContinueImport({ of, send }: { of: UserImport; send: Sending['send'] }) {
  const { imports: t } = useTexts('imports')
  return (
    <FileButton accept={accepted} onChange={(file) => file !== null && send(of, file)}>
      {(props) => (
        <Button {...props} size="compact-sm" variant="light" title={t.continue_hint({ file: of.file_name })}>
          {t.continue}
        </Button>
      )}
    </FileButton>
  )
}
