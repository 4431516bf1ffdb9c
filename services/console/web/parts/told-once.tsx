import { Alert, Button, Checkbox, Group, Modal, Stack } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import { useState } from 'react'
import { useTexts } from '../texts/index.tsx'
import { Copied } from './copied.tsx'

interface Props {
  readonly title: string
  readonly advice: string
  readonly values: readonly { readonly label: string; readonly value: string }[]
  readonly onClose: () => void
}

/** Secrets that are told only now: the dialog does not close before a person says that they are kept. */
export function ToldOnce({ title, advice, values, onClose }: Props) {
  const { common } = useTexts()
  const [kept, setKept] = useState(false)
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      size="lg"
      centered
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <Stack>
        <Alert color="yellow" icon={<IconKey />} title={common.told_once}>
          {advice}
        </Alert>
        {values.map(({ label, value }) => (
          <Copied key={label} label={label} value={value} />
        ))}
        <Checkbox label={common.kept} checked={kept} onChange={(event) => setKept(event.currentTarget.checked)} />
        <Group justify="flex-end">
          <Button disabled={!kept} onClick={onClose}>
            {common.done}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
