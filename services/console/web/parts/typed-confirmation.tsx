import { Button, Code, Group, Stack, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTexts } from '../texts/index.tsx'
import { Dialog } from './dialog.tsx'

interface Props {
  readonly opened: boolean
  readonly title: string
  /** The consequences. */
  readonly children: ReactNode
  /** The word to type, so that the confirmation is deliberate. */
  readonly word: string
  readonly submit: string
  readonly onConfirm: () => void
  readonly onCancel: () => void
}

/** A dialog that is confirmed by typing a word. */
export function TypedConfirmation({ opened, title, onCancel, ...question }: Props) {
  return (
    <Dialog opened={opened} onClose={onCancel} title={title} size="lg">
      <Question {...question} onCancel={onCancel} />
    </Dialog>
  )
}

/** A separate component, so that the field is empty when the dialog opens again. */
function Question({ children, word, submit, onConfirm, onCancel: onRefuse }: Omit<Props, 'opened' | 'title'>) {
  const { common } = useTexts()
  const [typed, setTyped] = useState('')
  const matches = typed.trim() === word
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (matches) onConfirm()
      }}
    >
      <Stack>
        {children}
        <TextInput
          label={
            <>
              {common.type_to_confirm} <Code fz="sm">{word}</Code>
            </>
          }
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          data-autofocus
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onRefuse}>
            {common.cancel}
          </Button>
          <Button type="submit" color="red" disabled={!matches}>
            {submit}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
