import { Alert, Button, Checkbox, Group, Stack } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import { useState } from 'react'
import { useTexts } from '../texts/index.tsx'
import { CopyableValue } from './copyable-value.tsx'
import { Dialog } from './dialog.tsx'

/** Secrets of a new resource, and what to do with them. */
export interface OneTimeSecret {
  readonly title: string
  readonly advice: string
  readonly values: readonly { readonly label: string; readonly value: string }[]
  /** Called when the dialog closes. */
  readonly next?: () => void
}

/** Shows secrets that are returned only once. The dialog closes only after the user confirms that they are stored. */
export function OneTimeSecretDialog({
  title,
  advice,
  values,
  next,
  onKept,
}: OneTimeSecret & { readonly onKept: () => void }) {
  const { common } = useTexts()
  const [isStored, setKept] = useState(false)
  const close = () => {
    onKept()
    next?.()
  }
  return (
    <Dialog
      opened
      onClose={close}
      title={title}
      size="lg"
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <Stack>
        <Alert color="yellow" icon={<IconKey />} title={common.shown_once}>
          {advice}
        </Alert>
        {values.map(({ label, value }) => (
          <CopyableValue key={label} label={label} value={value} />
        ))}
        <Checkbox
          label={common.stored_confirmation}
          checked={isStored}
          onChange={(event) => setKept(event.currentTarget.checked)}
        />
        <Group justify="flex-end">
          <Button disabled={!isStored} onClick={close}>
            {common.done}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
