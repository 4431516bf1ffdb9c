import { NativeSelect, TextInput } from '@mantine/core'

interface FieldProps {
  readonly label: string
  /** Empty: not filtered. */
  readonly value: string
  readonly onChange: (value: string) => void
}

/** A text or a time by which a list is filtered. */
export function FilterField({
  label,
  value,
  onChange,
  type = 'text',
}: FieldProps & { readonly type?: 'text' | 'date' | 'datetime-local' }) {
  return (
    <TextInput
      type={type}
      label={label}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      w={{ base: '100%', xs: type === 'datetime-local' ? 200 : 150 }}
    />
  )
}

/** A choice by which a list is filtered; `any` names the choice of all. */
export function FilterChoice({
  label,
  value,
  onChange,
  any,
  choices,
}: FieldProps & { readonly any: string; readonly choices: readonly { value: string; label: string }[] }) {
  return (
    <NativeSelect
      label={label}
      value={value}
      data={[{ value: '', label: any }, ...choices]}
      onChange={(event) => onChange(event.currentTarget.value)}
      w={{ base: '100%', xs: 160 }}
    />
  )
}
