import { Button, type ButtonProps, type ModalProps } from '@mantine/core'
import { type UseFormInput, type UseFormReturnType, useForm } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { AdminForm } from './admin-form.tsx'
import { Dialog } from './dialog.tsx'
import { type Told, ToldOnce } from './told-once.tsx'

interface FormProps<V extends Record<string, unknown>> {
  readonly initial: V
  readonly validate?: NonNullable<UseFormInput<V>['validate']>
  readonly fields: (form: UseFormReturnType<V>) => ReactNode
  /** What the form's button says. */
  readonly submit: string
  /** Makes it. What is to be told once of what was made comes back. */
  readonly save: (values: V) => Promise<Told | undefined>
}

interface Props<V extends Record<string, unknown>> extends Omit<FormProps<V>, 'submit'> {
  /** What the button says that opens the dialog, and what the dialog is called. */
  readonly label: string
  readonly title?: string
  readonly submit?: string
  readonly size?: ModalProps['size']
  readonly button?: ButtonProps & { readonly disabled?: boolean }
}

/**
 * A button that opens a form in a dialog, empty each time; what comes of it that is told but once is shown next. A click beside
 * the dialog does not close it: what was entered would be lost.
 */
export function FormDialog<V extends Record<string, unknown>>(props: Props<V>) {
  const { label, title = label, submit = label, size = 'md', button, save, ...form } = props
  const [opened, dialog] = useDisclosure()
  const [told, setTold] = useState<Told>()
  const make = async (values: V) => {
    setTold(await save(values))
    dialog.close()
  }
  return (
    <>
      <Button leftSection={<IconPlus size={18} />} {...button} onClick={dialog.open}>
        {label}
      </Button>
      <Dialog opened={opened} onClose={dialog.close} title={title} size={size} closeOnClickOutside={false}>
        <EnteredAnew {...form} submit={submit} save={make} cancel={dialog.close} />
      </Dialog>
      {told && <ToldOnce {...told} onKept={() => setTold(undefined)} />}
    </>
  )
}

type EnteredProps<V extends Record<string, unknown>> = Omit<FormProps<V>, 'save'> & {
  readonly save: (values: V) => Promise<unknown>
  readonly cancel: () => void
}

/** Is there as long as the dialog is, and its values with it. */
function EnteredAnew<V extends Record<string, unknown>>({ initial, validate, fields, ...form }: EnteredProps<V>) {
  const entered = useForm<V>({ initialValues: initial, ...(validate && { validate }) })
  return (
    <AdminForm form={entered} {...form}>
      {fields(entered)}
    </AdminForm>
  )
}
