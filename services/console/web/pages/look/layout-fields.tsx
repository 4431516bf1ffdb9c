import { NativeSelect, NumberInput, Stack, Switch } from '@mantine/core'
import { useTexts } from '../../texts/index.tsx'
import type { LookForm } from './look-form.ts'

/** What is where on the pages, and how it is drawn. */
export function LayoutFields({ form }: { form: LookForm }) {
  const { look: t } = useTexts('look')
  const { more_after: moreAfter } = form.values.theme
  return (
    <Stack>
      <Choice form={form} field="header" label={t.header} names={t.headers} />
      <Choice form={form} field="font" label={t.font} names={t.fonts} description={t.font_hint} />
      <NumberInput label={t.radius} min={0} max={24} allowDecimal={false} {...form.getInputProps('theme.radius')} />
      <Choice form={form} field="card_position" label={t.card_position} names={t.card_positions} />
      <Choice form={form} field="card_width" label={t.card_width} names={t.card_widths} />
      <Choice form={form} field="buttons" label={t.buttons} names={t.button_layouts} />
      <NumberInput
        label={t.more_after}
        description={t.more_after_hint}
        min={1}
        max={20}
        allowDecimal={false}
        value={moreAfter ?? ''}
        onChange={(value) => form.setFieldValue('theme.more_after', typeof value === 'number' ? value : null)}
        error={form.errors['theme.more_after']}
      />
      <Switch
        label={t.last_used_first}
        description={t.last_used_hint}
        {...form.getInputProps('theme.last_used_first', { type: 'checkbox' })}
      />
    </Stack>
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
