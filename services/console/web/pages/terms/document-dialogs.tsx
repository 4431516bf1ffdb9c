import { Radio, Stack, Text, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { RequestFault } from '../../admin/fault.ts'
import type { SiteReference, TermsDocument } from '../../admin/types.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { useLanguage, useTexts } from '../../texts/index.tsx'
import { changeDocuments, replaceDocument } from './change-documents.ts'
import { type DocumentValues, toDocument, toDocumentValues, toFormFault } from './document-values.ts'
import { TextFields } from './text-fields.tsx'

type DocumentForm = UseFormReturnType<DocumentValues>

interface AddProps {
  readonly site: SiteReference
  readonly names: readonly string[]
}

/** A button with a dialog that adds a document at the end of the list. */
export function AddDocument({ site, names }: AddProps) {
  const { terms: t } = useTexts('terms')
  const { language } = useLanguage()
  const validate = useValidate(names)
  return (
    <FormDialog<DocumentValues>
      documented="terms"
      label={t.add}
      size="lg"
      isAction
      initial={toDocumentValues(undefined, language)}
      validate={validate}
      fields={(form) => (
        <>
          <TextInput
            label={t.name}
            description={t.name_hint}
            placeholder="terms"
            autoComplete="off"
            spellCheck={false}
            required
            data-autofocus
            {...form.getInputProps('name')}
          />
          <DocumentFields form={form} />
        </>
      )}
      save={(values) => saveDocument(site, values, false)}
    />
  )
}

interface ChangeProps {
  readonly site: SiteReference
  readonly document: TermsDocument
  /** The title in the language of the page. */
  readonly title: string
}

/** A button with a dialog that corrects a document without a new version. */
export function EditDocument({ site, document, title }: ChangeProps) {
  const { terms: t, common } = useTexts('terms')
  const { language } = useLanguage()
  return (
    <FormDialog<DocumentValues>
      label={t.edit}
      title={t.edit_title({ title })}
      target={title}
      submit={common.save}
      size="lg"
      button={smallButton}
      initial={toDocumentValues(document, language)}
      validate={useValidate()}
      fields={(form) => (
        <>
          <Text size="sm">{t.edit_hint}</Text>
          <DocumentFields form={form} />
        </>
      )}
      save={(values) => saveDocument(site, values, false)}
    />
  )
}

/** A button with a dialog that publishes the next version of a document, and decides who is asked about it. */
export function NewVersion({ site, document, title }: ChangeProps) {
  const { terms: t } = useTexts('terms')
  const { language } = useLanguage()
  const version = document.version + 1
  return (
    <FormDialog<DocumentValues>
      label={t.new_version}
      title={t.new_version_title({ title, version })}
      target={title}
      submit={t.publish({ version })}
      size="lg"
      button={smallButton}
      initial={toDocumentValues(document, language)}
      validate={useValidate()}
      fields={(form) => (
        <>
          <Radio.Group label={t.asks} description={t.asks_hint} {...form.getInputProps('asks')}>
            <Stack gap="xs" mt={6}>
              <Radio value="everyone" label={t.everyone} description={t.everyone_about} />
              <Radio value="new_users" label={t.new_users} description={t.new_users_about} />
            </Stack>
          </Radio.Group>
          <TextFields form={form} />
        </>
      )}
      save={(values) => saveDocument(site, values, true)}
    />
  )
}

const smallButton = { variant: 'default', size: 'compact-sm', leftSection: null } as const

/** What a document is about, for a new one and for corrections. */
function DocumentFields({ form }: { form: DocumentForm }) {
  const { terms: t } = useTexts('terms')
  return (
    <>
      <Radio.Group label={t.kind} {...form.getInputProps('kind')}>
        <Stack gap="xs" mt={6}>
          <Radio value="required" label={t.kinds.required} description={t.required_about} />
          <Radio value="optional" label={t.kinds.optional} description={t.optional_about} />
        </Stack>
      </Radio.Group>
      <TextFields form={form} />
    </>
  )
}

/** As `DocumentName`: the service checks it again. */
const documentName = /^[a-z][a-z0-9_]{0,30}$/

function useValidate(otherNames: readonly string[] = []) {
  const { terms: t, common } = useTexts('terms')
  return (values: DocumentValues) => {
    const titles = values.languages.map((tag) => {
      const isEmpty = (values[`title_${tag}`] ?? '').trim() === ''
      return [`title_${tag}`, isEmpty ? common.fields.required : null]
    })
    const nameError = otherNames.includes(values.name) ? t.name_taken : t.name_rule
    const isNameValid = documentName.test(values.name) && !otherNames.includes(values.name)
    return { name: isNameValid ? null : nameError, ...Object.fromEntries(titles) }
  }
}

async function saveDocument(site: SiteReference, values: DocumentValues, isNewVersion: boolean): Promise<undefined> {
  const document = toDocument(values, isNewVersion)
  try {
    await changeDocuments(site, (documents) => replaceDocument(documents, document), values.before)
  } catch (error) {
    throw error instanceof RequestFault ? toFormFault(error) : error
  }
}
