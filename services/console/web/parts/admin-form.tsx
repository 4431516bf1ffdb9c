import { Alert, Button, Group, List, Stack, Text } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { IconRefresh } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { Cancelled, Fault, faultFrom } from '../admin/fault.ts'
import { useTexts } from '../texts/index.tsx'
import { Failure } from './failure.tsx'

interface Props<V extends Record<string, unknown>> {
  readonly form: UseFormReturnType<V>
  /** What the button does, said by it. */
  readonly submit: string
  readonly save: (values: V) => Promise<void>
  /** For what somebody else may have changed meanwhile: reads it again, as the form's values. */
  readonly reread?: () => Promise<V>
  /** What the fields are called, to say which of them somebody else changed. */
  readonly labels?: Partial<Record<keyof V & string, string>>
  readonly cancel?: () => void
  readonly readonly?: boolean
  readonly children: ReactNode
}

/** A form whose refusals are shown at the fields they are about, and the others above the button. */
export function AdminForm<V extends Record<string, unknown>>(props: Props<V>) {
  const { form, submit, save, reread, labels = {}, cancel, readonly = false, children } = props
  const { common } = useTexts()
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<Fault>()
  const [newest, setNewest] = useState<V>()

  const onSubmit = form.onSubmit(async (values) => {
    setBusy(true)
    setFault(undefined)
    setNewest(undefined)
    try {
      await save(values)
    } catch (error) {
      if (error instanceof Cancelled) return
      const refusal = faultFrom(error)
      if (refusal.fault === 'changed_meanwhile' && reread) setNewest(await reread().catch(() => undefined))
      setFault(elsewhere(refusal, values, { tell: form.setErrors, line: common.line }))
    } finally {
      setBusy(false)
    }
  })

  function takeNewest(values: V) {
    form.setInitialValues(values)
    form.setValues(values)
    setNewest(undefined)
    setFault(undefined)
  }

  const called: Partial<Record<string, string>> = labels
  const before = new Map<string, unknown>(Object.entries(form.getInitialValues()))
  const theirs = Object.entries(newest ?? {}).filter(([name, value]) => !same(value, before.get(name)))
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack>
        <fieldset disabled={readonly} style={{ border: 'none', padding: 0, margin: 0, minWidth: 0 }}>
          <Stack>{children}</Stack>
        </fieldset>
        {fault && newest === undefined && <Failure fault={fault} />}
        {newest && (
          <Alert role="alert" color="yellow" title={common.changed_title} icon={<IconRefresh />}>
            <Stack gap="xs" align="flex-start">
              <Text size="sm">{common.changed_advice}</Text>
              <List size="sm">
                {theirs.map(([name, value]) => (
                  <List.Item key={name}>{common.changed_to(called[name] ?? name, shown(value))}</List.Item>
                ))}
              </List>
              <Button size="compact-sm" variant="default" onClick={() => takeNewest(newest)}>
                {common.take_newest}
              </Button>
            </Stack>
          </Alert>
        )}
        {!readonly && (
          <Group justify={cancel ? 'flex-end' : 'flex-start'}>
            {cancel && (
              <Button variant="default" onClick={cancel}>
                {common.cancel}
              </Button>
            )}
            <Button type="submit" loading={busy}>
              {submit}
            </Button>
          </Group>
        )}
      </Stack>
    </form>
  )
}

/** Tells the fields what is wrong with them; what is about no field of the form is left for the page. */
function elsewhere(
  fault: Fault,
  values: object,
  { tell, line }: { tell: (errors: Record<string, string>) => void; line: (line: number, message: string) => string },
): Fault | undefined {
  const placed: Record<string, string> = {}
  const left: { field: string; message: string }[] = []
  for (const one of fault.fields) {
    const [field = '', at] = one.field.split('.')
    // An entry of a list stands on a line of its own.
    const message = at !== undefined && /^\d+$/.test(at) ? line(Number(at) + 1, one.message) : one.message
    if (field in values) placed[field] = placed[field] === undefined ? message : `${placed[field]}\n${message}`
    else left.push(one)
  }
  tell(placed)
  if (fault.fields.length === 0) return fault
  return left.length === 0 ? undefined : new Fault(fault.fault, fault.message, left, fault.request_id)
}

const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)
const shown = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
