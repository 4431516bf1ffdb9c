import { Button, type ButtonProps, type ModalProps } from '@mantine/core'
import type { UseFormInput, UseFormReturnType } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useSearchParams } from 'wouter'
import type { DocumentedForm } from '../admin/types.ts'
import { AdminForm } from './admin-form.tsx'
import { Dialog } from './dialog.tsx'
import { type OneTimeSecret, OneTimeSecretDialog } from './one-time-secret.tsx'
import { useDocumentedForm } from './use-documented-form.tsx'

interface FormProps<V extends Record<string, unknown>> {
  /** What the form is about in the documentation. */
  readonly documented?: DocumentedForm
  readonly initial: V
  readonly validate?: NonNullable<UseFormInput<V>['validate']>
  readonly fields: (form: UseFormReturnType<V>) => ReactNode
  /** Label of the submit button. */
  readonly submit: string
  /** Creates the resource. Returns its secret if it has one. */
  readonly save: (values: V) => Promise<OneTimeSecret | undefined>
}

interface Props<V extends Record<string, unknown>> extends Omit<FormProps<V>, 'submit'> {
  /** Label of the button that opens the dialog, and default title. */
  readonly label: string
  readonly title?: string
  /** Name of the resource that the dialog changes, for screen readers. */
  readonly target?: string
  readonly submit?: string
  readonly size?: ModalProps['size']
  readonly button?: ButtonProps & { readonly disabled?: boolean }
  /** The action of the page: the dialog is open at the page's address with `?new`. */
  readonly isAction?: boolean
}

/**
 * A button that opens a dialog with an empty form, and then shows the secret of the created resource. A click outside does not close the
 * dialog, so that no input is lost.
 */
export function FormDialog<V extends Record<string, unknown>>(props: Props<V>) {
  const { label, title = label, target, submit = label, size = 'md', button, isAction = false, save, ...form } = props
  const [opened, dialog] = useDialogState(isAction)
  const texts = useTextsOfOpening(opened, { title, submit })
  const [secret, setTold] = useState<OneTimeSecret>()
  const submitForm = async (values: V) => {
    setTold(await save(values))
    dialog.close()
  }
  return (
    <>
      <Button
        leftSection={<IconPlus size={18} />}
        {...button}
        {...(target && { 'aria-label': `${label} ${target}` })}
        onClick={dialog.open}
      >
        {label}
      </Button>
      <Dialog opened={opened} onClose={dialog.close} title={texts.title} size={size} closeOnClickOutside={false}>
        <DialogForm {...form} submit={texts.submit} save={submitForm} cancel={dialog.close} />
      </Dialog>
      {secret && <OneTimeSecretDialog {...secret} onKept={() => setTold(undefined)} />}
    </>
  )
}

/** The texts of a dialog as they were when it opened: what it saves can change them before it has closed. */
function useTextsOfOpening<T>(opened: boolean, current: T): T {
  const [kept, keep] = useState({ opened, texts: current })
  if (kept.opened !== opened) keep({ opened, texts: opened ? current : kept.texts })
  return kept.texts
}

/** Whether a dialog is open, and its changes. The dialog of the page's action is part of the address. */
function useDialogState(isAction: boolean): ReturnType<typeof useDisclosure> {
  const state = useDisclosure()
  const [parameters, setParameters] = useSearchParams()
  if (!isAction) return state
  const set = (opened: boolean) => {
    // After saving, the page can be another one.
    if (!opened && !new URLSearchParams(location.search).has('new')) return
    setParameters(opened ? { new: '' } : {}, { replace: !opened })
  }
  const opened = parameters.has('new')
  return [opened, { open: () => set(true), close: () => set(false), toggle: () => set(!opened), set }]
}

type DialogFormProps<V extends Record<string, unknown>> = Omit<FormProps<V>, 'save'> & {
  readonly save: (values: V) => Promise<unknown>
  readonly cancel: () => void
}

/** Mounted only while the dialog is open, so that its values are discarded. */
function DialogForm<V extends Record<string, unknown>>(props: DialogFormProps<V>) {
  const { initial, validate, fields, documented, ...form } = props
  const state = useDocumentedForm<V>(documented, { initialValues: initial, ...(validate && { validate }) })
  return (
    <AdminForm form={state} {...form}>
      {fields(state)}
    </AdminForm>
  )
}
