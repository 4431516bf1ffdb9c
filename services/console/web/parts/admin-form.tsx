import { Button, Group, Stack } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { type ReactNode, useState } from 'react'
import { Cancelled, RequestFault, toFault } from '../admin/fault.ts'
import { type Texts, useTexts } from '../texts/index.tsx'
import { FaultAlert } from './fault-alert.tsx'

interface Props<V extends Record<string, unknown>> {
  readonly form: UseFormReturnType<V>
  /** Label of the submit button. */
  readonly submit: string
  readonly save: (values: V) => Promise<unknown>
  readonly cancel?: () => void
  readonly readonly?: boolean
  /** Shown above the button. */
  readonly notice?: ReactNode
  readonly children: ReactNode
}

/** A form that shows errors at their fields, and other errors above the button. */
export function AdminForm<V extends Record<string, unknown>>(props: Props<V>) {
  const { form, submit, save, cancel, readonly = false, notice, children } = props
  const { common } = useTexts()
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<RequestFault>()

  const onSubmit = form.onSubmit(async (values) => {
    setBusy(true)
    setFault(undefined)
    try {
      await save(values)
    } catch (error) {
      if (error instanceof Cancelled) return
      const { at_fields, left: remaining } = splitErrors(toFault(error), values, common.line)
      setFault(remaining)
      showErrors(at_fields)
    } finally {
      setBusy(false)
    }
  }, focusFirst)

  function showErrors(errors: Record<string, string>) {
    form.setErrors(errors)
    focusFirst(errors)
  }

  function focusFirst(errors: Readonly<Record<string, unknown>>) {
    const [field] = Object.keys(errors)
    if (field !== undefined) form.getInputNode(field)?.focus()
  }

  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack>
        <fieldset disabled={readonly} style={{ border: 'none', padding: 0, margin: 0, minWidth: 0 }}>
          <Stack>{children}</Stack>
        </fieldset>
        {fault && <FaultAlert fault={fault} />}
        {notice}
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

/** Splits the errors of a fault into those of the form's fields, and the remaining fault. */
function splitErrors(
  fault: RequestFault,
  values: object,
  line: Texts['common']['line'],
): { at_fields: Record<string, string>; left: RequestFault | undefined } {
  const atFields: Record<string, string> = {}
  const otherErrors: { field: string; message: string }[] = []
  for (const one of fault.fields) {
    const [field = '', at] = one.field.split('.')
    // Each entry of a list is on its own line.
    const message =
      at !== undefined && /^\d+$/.test(at) ? line({ line: Number(at) + 1, message: one.message }) : one.message
    if (field in values) atFields[field] = atFields[field] === undefined ? message : `${atFields[field]}\n${message}`
    else otherErrors.push(one)
  }
  if (fault.fields.length === 0) return { at_fields: atFields, left: fault }
  const left =
    otherErrors.length === 0 ? undefined : new RequestFault(fault.fault, fault.message, otherErrors, fault.requestId)
  return { at_fields: atFields, left }
}
