import { Alert, Button, Group } from '@mantine/core'
import { useAction } from '../admin/use-action.ts'
import { DangerButton } from './danger-button.tsx'
import { FaultAlert } from './fault-alert.tsx'

interface OnOffProps {
  readonly isOn: boolean
  readonly texts: {
    readonly states: { readonly on: string; readonly off: string }
    readonly turn_on: string
    readonly turn_off: string
    readonly turn_off_title: string
    readonly turn_off_warning: string
  }
  readonly readonly: boolean
  readonly turn: (on: boolean) => Promise<unknown>
}

/** Shows whether something is on, and turns it on at once, or off after a warning. */
export function OnOff({ isOn, texts: t, readonly, turn }: OnOffProps) {
  const turnOn = useAction(() => turn(true))
  return (
    <>
      <Alert color={isOn ? 'teal' : 'gray'} title={isOn ? t.states.on : t.states.off}>
        <Group>
          {!readonly && isOn && (
            <DangerButton
              label={t.turn_off}
              title={t.turn_off_title}
              warning={t.turn_off_warning}
              change={() => turn(false)}
            />
          )}
          {!readonly && !isOn && (
            <Button size="compact-sm" variant="default" loading={turnOn.isBusy} onClick={() => turnOn.run()}>
              {t.turn_on}
            </Button>
          )}
        </Group>
      </Alert>
      {turnOn.fault && <FaultAlert fault={turnOn.fault} />}
    </>
  )
}
