import { Alert, Button, List, Stack, Text } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { IconRefresh } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { toFault } from '../admin/fault.ts'
import { useTexts } from '../texts/index.tsx'
import { AdminForm } from './admin-form.tsx'
import { useSavedNotification } from './saved-notification.ts'
import { UnsavedChangesGuard } from './unsaved-changes-guard.tsx'

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
  readonly children: ReactNode
}

/**
 * A form for a resource that others can change at the same time. If they changed it, the form lists their changes and saves only after the
 * user applies them; the input stays. Leaving the page with unsaved changes requires a confirmation.
 */
export function ChangeForm<V extends Record<string, unknown>>(props: Props<V>) {
  const { form, save, reread, labels, readonly = false, children } = props
  const { common } = useTexts()
  const notifySaved = useSavedNotification()
  const [revision, setRevision] = useState(props.revision)
  const [newest, setNewest] = useState<Version<V>>()

  /** Saves values. If someone else changed only fields that are not in the form, saves again with the new revision. */
  async function saveFrom(values: V, from: number): Promise<void> {
    setNewest(undefined)
    try {
      fill(await save(values, from), values)
      notifySaved()
    } catch (error) {
      if (toFault(error).fault !== 'revision_mismatch') throw error
      const read = await reread()
      if (read.revision === from) throw error
      if (isEqual(read.values, form.getInitialValues())) return saveFrom(values, read.revision)
      setNewest(read)
    }
  }

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
      save={(values) => saveFrom(values, revision)}
      readonly={readonly}
      notice={
        <>
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

interface ChangedProps {
  readonly before: Readonly<Record<string, unknown>>
  readonly after: Readonly<Record<string, unknown>>
  readonly labels: Readonly<Partial<Record<string, string>>>
  readonly takeOver: () => void
}

function ConflictAlert({ before, after, labels, takeOver }: ChangedProps) {
  const { common } = useTexts()
  const changed = Object.entries(after).filter(([field, value]) => !isEqual(value, before[field]))
  const shown = (value: unknown) => {
    if (value === '' || (Array.isArray(value) && value.length === 0)) return common.none
    if (Array.isArray(value)) return value.join(', ')
    return typeof value === 'boolean' ? (value ? common.yes : common.no) : String(value)
  }
  return (
    <Alert role="alert" color="yellow" title={common.changed_title} icon={<IconRefresh />}>
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{common.changed_advice}</Text>
        <List size="sm">
          {changed.map(([field, value]) => (
            <List.Item key={field}>
              {common.changed_to({ field: labels[field] ?? field, value: shown(value) })}
            </List.Item>
          ))}
        </List>
        <Button size="compact-sm" variant="default" onClick={takeOver}>
          {common.apply_changes}
        </Button>
      </Stack>
    </Alert>
  )
}

const isEqual = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)
