import type { UseFormReturnType } from '@mantine/form'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { Cancelled, toFault } from '../admin/fault.ts'
import { useAction } from '../admin/use-action.ts'
import { useTexts } from '../texts/index.tsx'
import { AdminForm } from './admin-form.tsx'
import { isEqual, listFieldChanges } from './changes.ts'
import { ConflictAlert } from './conflict-alert.tsx'
import type { Confirmation } from './consequence-dialog.tsx'
import { FaultAlert } from './fault-alert.tsx'
import { useSavedNotification } from './saved-notification.tsx'
import { UnsavedChangesGuard } from './unsaved-changes-guard.tsx'

/** Loaded with the first change that ends something. */
const ConsequenceDialog = lazy(async () => ({ default: (await import('./consequence-dialog.tsx')).ConsequenceDialog }))

/** The values of a revision. */
interface Version<V> {
  readonly values: V
  readonly revision: number
}

interface Props<V extends Record<string, unknown>> {
  readonly form: UseFormReturnType<V>
  /** Revision of the initial values. Later reads do not change it. */
  readonly revision: number
  /** Saves values that are based on a revision, and returns the saved version. */
  readonly save: (values: V, revision: number) => Promise<Version<V>>
  readonly reread: () => Promise<Version<V>>
  /** Labels of the fields, to list those that someone else changed. */
  readonly labels: Partial<Record<keyof V & string, string>>
  readonly readonly?: boolean
  /** What ends for end users or applications when `after` is saved, in sentences. They are shown with the changes before. */
  readonly listConsequences?: (before: V, after: V) => readonly string[]
  /** Whether saving `before` again restores everything; by default it does. */
  readonly canUndo?: (before: V, after: V) => boolean
  readonly children: ReactNode
}

/**
 * A form for a resource that others can change at the same time. If they changed it, the form lists their changes and saves only after the
 * user applies them; the input stays. Leaving the page with unsaved changes requires a confirmation. For some seconds after saving,
 * the change can be undone.
 */
export function ChangeForm<V extends Record<string, unknown>>(props: Props<V>) {
  const { form, save, reread, labels, readonly = false, listConsequences, canUndo = () => true, children } = props
  const { common } = useTexts()
  const notifySaved = useSavedNotification()
  const [revision, setRevision] = useState(props.revision)
  const [newest, setNewest] = useState<Version<V>>()
  const [confirmation, setConfirmation] = useState<Confirmation>()

  async function confirmAndSave(values: V): Promise<void> {
    const before = form.getInitialValues()
    const consequences = listConsequences?.(before, values) ?? []
    if (consequences.length > 0) {
      const { promise, resolve } = Promise.withResolvers<boolean>()
      setConfirmation({ changes: listFieldChanges(before, values), consequences, decide: resolve })
      const isConfirmed = await promise
      setConfirmation(undefined)
      if (!isConfirmed) throw new Cancelled()
    }
    await saveFrom(values, revision)
  }

  /** Saves values. If someone else changed only fields that are not in the form, saves again with the new revision. */
  async function saveFrom(values: V, from: number): Promise<void> {
    setNewest(undefined)
    try {
      const before = form.getInitialValues()
      const saved = await save(values, from)
      fill(saved, values)
      notifySaved(canUndo(before, values) ? () => undoing.run(before, saved.revision) : undefined)
    } catch (error) {
      if (toFault(error).fault !== 'revision_mismatch') throw error
      const read = await reread()
      if (read.revision === from) throw error
      if (isEqual(read.values, form.getInitialValues())) return saveFrom(values, read.revision)
      setNewest(read)
    }
  }

  const undoing = useAction(async (before: V, from: number) => {
    const restored = await save(before, from)
    fill(restored, form.getInitialValues())
    notifySaved()
  })

  /** Fills the form with a version. Input that differs from `before` stays. */
  function fill({ values, revision: filled }: Version<V>, before: V) {
    const entered = Object.entries(form.getValues()).filter(([field, value]) => !isEqual(value, before[field]))
    form.setInitialValues(values)
    form.setValues({ ...values, ...Object.fromEntries(entered) })
    setRevision(filled)
    setNewest(undefined)
  }

  return (
    <AdminForm
      form={form}
      submit={common.save}
      save={confirmAndSave}
      readonly={readonly}
      notice={
        <>
          {confirmation && (
            <Suspense>
              <ConsequenceDialog {...confirmation} labels={labels} />
            </Suspense>
          )}
          {undoing.fault && <FaultAlert fault={undoing.fault} />}
          {!readonly && form.isDirty() && <UnsavedChangesGuard />}
          {newest && (
            <ConflictAlert
              before={form.getInitialValues()}
              after={newest.values}
              labels={labels}
              takeOver={() => fill(newest, form.getInitialValues())}
            />
          )}
        </>
      }
    >
      {children}
    </AdminForm>
  )
}
