import { Button, type ButtonProps, Group, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { useAction } from '../admin/use-action.ts'
import { useTexts } from '../texts/index.tsx'
import { Dialog } from './dialog.tsx'
import { FaultAlert } from './fault-alert.tsx'

interface Props extends ButtonProps {
  /** Label of the button, and of the button in the dialog. */
  readonly label: string
  /** Name of the resource, for screen readers. */
  readonly target?: string
  readonly title: string
  /** Consequences, and whether the action cannot be undone. */
  readonly warning: ReactNode
  readonly change: () => Promise<unknown>
}

/** A button for a destructive action, with a confirmation dialog. */
export function DangerButton({ label, target, title, warning, change, ...button }: Props) {
  const { common } = useTexts()
  const [opened, dialog] = useDisclosure()
  const removal = useAction(async () => {
    await change()
    dialog.close()
  })
  const open = () => {
    removal.reset()
    dialog.open()
  }
  return (
    <>
      <Button
        color="red"
        variant="light"
        size="compact-sm"
        {...button}
        {...(target && { 'aria-label': `${label} ${target}` })}
        onClick={open}
      >
        {label}
      </Button>
      <Dialog opened={opened} onClose={dialog.close} title={title}>
        <Stack>
          <Text size="sm" component="div">
            {warning}
          </Text>
          {removal.fault && <FaultAlert fault={removal.fault} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={dialog.close} data-autofocus>
              {common.cancel}
            </Button>
            <Button color="red" loading={removal.isBusy} onClick={() => removal.run()}>
              {label}
            </Button>
          </Group>
        </Stack>
      </Dialog>
    </>
  )
}
