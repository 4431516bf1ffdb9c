import { type DefinitionField, definitionForms } from 'virtual:contract/definition'
import { Select, Textarea, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { CheckField } from '../../parts/use-documented-form.tsx'
import { useTexts } from '../../texts/index.tsx'
import { useDefinitionLabel } from './definition-labels.ts'
import { fieldKey } from './definition-values.ts'
import type { ProviderValues } from './provider-values.ts'

interface Props {
  readonly form: UseFormReturnType<ProviderValues>
  readonly name: string
}

/** The input for a setting of a definition, by its kind. */
export function DefinitionInput({ form, name }: Props) {
  const { definition: t } = useTexts('definition')
  const getLabel = useDefinitionLabel()
  const { protocol } = form.values
  const field = definitionForms[protocol].fields[name]
  if (field === undefined) return null
  const key = fieldKey(protocol, name)
  const about = getLabel(key)
  if (field.type === 'flag') return <CheckField {...about} {...form.getInputProps(key, { type: 'checkbox' })} />
  const input = form.getInputProps(key)
  if (field.type === 'choice') {
    const names: Readonly<Record<string, string>> = t.choices
    const data = field.values.map((value) => ({ value, label: names[value] ?? value }))
    return <Select {...about} data={data} allowDeselect={false} {...input} />
  }
  if (field.type === 'record')
    return <Textarea {...about} autosize minRows={1} maxRows={8} spellCheck={false} {...input} />
  return <TextInput {...about} {...typeOf(field)} spellCheck={false} {...input} />
}

function typeOf(field: DefinitionField) {
  if (field.type === 'number') return { type: 'number', maw: 240 }
  return field.type === 'list' && field.values !== undefined ? { placeholder: field.values.join(' ') } : {}
}
