import type { UseFormReturnType } from '@mantine/form'
import type { RequestFault } from '../../admin/fault.ts'
import type { Look } from '../../admin/types.ts'
import { useDocumentedForm } from '../../parts/use-documented-form.tsx'

export type LookForm = UseFormReturnType<Look>

/** The form of a look. Fields are named by their path in it, as in errors of the Admin API. */
export function useLookForm(initial: Look): LookForm {
  return useDocumentedForm<Look>('look', { initialValues: initial })
}

/** Shows the errors of a request at their fields. */
export function showErrors(setErrors: LookForm['setErrors'], fault: RequestFault | null): void {
  const entries = (fault?.fields ?? []).map(({ field, message }) => [field, message])
  setErrors(Object.fromEntries(entries))
}
