import { conflictRules } from 'virtual:contract'
import { Select } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { mutate } from '../../admin/queries.ts'
import type { SiteReference, UserImport } from '../../admin/types.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { CheckField } from '../../parts/use-documented-form.tsx'
import { useTexts } from '../../texts/index.tsx'
import { FileFields, type FileValues } from './file-fields.tsx'
import { useDefaultOptions } from './file-options.ts'
import type { Sending } from './use-sending.ts'

interface Values extends FileValues {
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
  const defaultOptions = useDefaultOptions()
  return (
    <FormDialog<Values>
      documented="import"
      label={t.start}
      isAction
      size="lg"
      button={{ leftSection: <IconUpload size={18} />, disabled: isSending }}
      initial={{ file: null, ...defaultOptions, conflict: 'fail', dry_run: true }}
      validate={{ file: (file) => (file === null ? t.file_missing : null) }}
      fields={(form) => (
        <>
          <FileFields form={form} />
          <Select
            label={t.rule}
            description={t.rule_hint}
            data={conflictRules.map((value) => ({ value, label: t.rules[value] }))}
            allowDeselect={false}
            {...form.getInputProps('conflict')}
          />
          <CheckField
            label={t.dry_run_first}
            description={t.dry_run_hint}
            {...form.getInputProps('dry_run', { type: 'checkbox' })}
          />
        </>
      )}
      save={async ({ file, conflict, dry_run, ...options }) => {
        // The form is valid.
        if (file === null) return undefined
        const started = await mutate('startImport', { ...site, file_name: file.name.slice(-255), conflict, dry_run })
        send(started, file, options)
        return undefined
      }}
    />
  )
}

/** Continues an interrupted import with the same file and options. */
export function ContinueImport({ of, send }: { of: UserImport; send: Sending['send'] }) {
  const { imports: t } = useTexts('imports')
  const defaultOptions = useDefaultOptions()
  return (
    <FormDialog<FileValues>
      label={t.continue}
      title={t.continue_hint({ file: of.file_name })}
      submit={t.continue}
      size="lg"
      button={{ size: 'compact-sm', variant: 'light', leftSection: null }}
      initial={{ file: null, ...defaultOptions }}
      validate={{ file: (file) => (file === null ? t.file_missing : null) }}
      fields={(form) => <FileFields form={form} />}
      save={async ({ file, ...options }) => {
        if (file !== null) send(of, file, options)
        return undefined
      }}
    />
  )
}
