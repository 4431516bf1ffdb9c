import { TextInput, type TextInputProps } from '@mantine/core'
import { useTexts } from '../texts/index.tsx'

/** The display name: the first field of most forms, with the initial focus. */
export function NameField(props: TextInputProps) {
  const { common } = useTexts()
  return <TextInput label={common.name} required data-autofocus {...props} />
}
