import { Alert, Button, Group, List, Stack, Text, Textarea } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconClipboardText } from '@tabler/icons-react'
import { type DragEvent, useState } from 'react'
import { Dialog } from '../../parts/dialog.tsx'
import { useTexts } from '../../texts/index.tsx'
import { type PastedValues, readPastedValues } from './pasted-values.ts'

interface Props {
  readonly provider: string
  /** Labels of the fields. */
  readonly labels: Readonly<Partial<Record<string, string>>>
  readonly fill: (values: PastedValues) => void
}

/** A button that opens a dialog, which fills the form from a file of the provider or from the environment of an application. */
export function PasteValues({ provider, labels, fill }: Props) {
  const { providers: t } = useTexts('providers')
  const [opened, dialog] = useDisclosure()
  return (
    <>
      <Group>
        <Button variant="default" size="compact-sm" leftSection={<IconClipboardText size={16} />} onClick={dialog.open}>
          {t.paste}
        </Button>
      </Group>
      <Dialog opened={opened} onClose={dialog.close} title={t.paste} size="lg">
        <PasteForm
          provider={provider}
          labels={labels}
          fill={(values) => {
            fill(values)
            dialog.close()
          }}
        />
      </Dialog>
    </>
  )
}

/** Mounted only while the dialog is open, so that the text is discarded. */
function PasteForm({ provider, labels, fill }: Props) {
  const { providers: t } = useTexts('providers')
  const [{ text, fileName }, setInput] = useState({ text: '', fileName: '' })
  const values = readPastedValues(text, provider, fileName)
  const { client_id, client_secret, options } = values
  const fields = Object.entries({ client_id, client_secret, ...options }).filter(([, value]) => value !== undefined)
  const drop = async (event: DragEvent) => {
    const [file] = event.dataTransfer.files
    if (file === undefined) return
    event.preventDefault()
    setInput({ text: await file.text(), fileName: file.name })
  }
  return (
    <Stack>
      <Text size="sm">{t.paste_about}</Text>
      <Textarea
        aria-label={t.paste}
        placeholder={'CLIENT_ID=…\nCLIENT_SECRET=…'}
        autosize
        minRows={6}
        maxRows={14}
        data-autofocus
        autoComplete="off"
        spellCheck={false}
        styles={{ input: { fontFamily: 'monospace' } }}
        value={text}
        onChange={(event) => setInput({ text: event.currentTarget.value, fileName: '' })}
        onDrop={drop}
      />
      {text.trim() !== '' && fields.length === 0 && <Alert color="yellow">{t.paste_none}</Alert>}
      {fields.length > 0 && (
        <div>
          <Text size="sm">{t.paste_found}</Text>
          <List size="sm">
            {fields.map(([field]) => (
              <List.Item key={field}>{labels[field] ?? field}</List.Item>
            ))}
          </List>
        </div>
      )}
      <Group justify="flex-end">
        <Button disabled={fields.length === 0} onClick={() => fill(values)}>
          {t.paste_fill}
        </Button>
      </Group>
    </Stack>
  )
}
