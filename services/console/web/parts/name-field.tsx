import { TextInput, type TextInputProps } from '@mantine/core'
import { useTexts } from '../texts/index.tsx'

/** What something is called among people: the first field of most forms, where one begins to write. */
export function NameField(props: TextInputProps) {
  const { common } = useTexts()
  return <TextInput label={common.name} required data-autofocus {...props} />
}
