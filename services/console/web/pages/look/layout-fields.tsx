import { NativeSelect, Stack, TextInput } from '@mantine/core'
import { CheckField } from '../../parts/use-documented-form.tsx'
import { useTexts } from '../../texts/index.tsx'
import type { LookForm } from './look-form.ts'

/** What is where on the pages, and how it is drawn. */
export function LayoutFields({ form }: { form: LookForm }) {
  const { look: t } = useTexts('look')
  return (
    <Stack>
      <Choice form={form} field="header" label={t.header} names={t.headers} />
      <Choice form={form} field="font" label={t.font} names={t.fonts} description={t.font_hint} />
      <NumberField form={form} field="radius" label={t.radius} least={0} most={24} />
      <Choice form={form} field="card_position" label={t.card_position} names={t.card_positions} />
      <Choice form={form} field="card_width" label={t.card_width} names={t.card_widths} />
      <Choice form={form} field="buttons" label={t.buttons} names={t.button_layouts} />
      <NumberField
        form={form}
        field="more_after"
        label={t.more_after}
        description={t.more_after_hint}
        least={1}
        most={20}
      />
      <CheckField
        label={t.last_used_first}
        description={t.last_used_hint}
        {...form.getInputProps('theme.last_used_first', { type: 'checkbox' })}
      />
    </Stack>
  )
}

interface NumberProps {
  readonly form: LookForm
  readonly field: 'radius' | 'more_after'
  readonly label: string
  readonly description?: string
  readonly least: number
  readonly most: number
}

/** A number; empty if the field can be null. */
function NumberField({ form, field, label, description, least, most }: NumberProps) {
  return (
    <TextInput
      label={label}
      description={description}
      type="number"
      min={least}
      max={most}
      value={form.values.theme[field] ?? ''}
      onChange={({ currentTarget: { value } }) =>
        form.setFieldValue(`theme.${field}`, value === '' && field === 'more_after' ? null : Number(value))
      }
      error={form.errors[`theme.${field}`]}
    />
  )
}

interface ChoiceProps {
  readonly form: LookForm
  readonly field: 'header' | 'font' | 'card_position' | 'card_width' | 'buttons'
  readonly label: string
  readonly description?: string
  /** The options by their values. */
  readonly names: Readonly<Record<string, string>>
}

function Choice({ form, field, label, description, names }: ChoiceProps) {
  return (
    <NativeSelect
      label={label}
      description={description}
      data={Object.entries(names).map(([value, name]) => ({ value, label: name }))}
      {...form.getInputProps(`theme.${field}`)}
    />
  )
}
