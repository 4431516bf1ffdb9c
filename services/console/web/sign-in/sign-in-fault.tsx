/** @jsxImportSource preact */
import { isOutageFault, isRetryable, listDetails, type RequestFault } from '../admin/fault.ts'
import { Button } from './controls.tsx'
import { Icon } from './icons.tsx'
import { useSignInTexts } from './texts.tsx'

interface Props {
  readonly fault: RequestFault
  readonly retry?: () => void
  /** Replaces the default text of the fault. */
  readonly says?: { readonly title: string; readonly advice: string } | undefined
}

/** Shows what happened, the message of the service, and what to do. */
export function SignInFault({ fault, retry, says }: Props) {
  const { faults, common } = useSignInTexts()
  const known: Partial<Record<string, typeof faults.unexpected>> = faults
  const text = says ?? known[fault.fault] ?? faults.unexpected
  return (
    <div role="alert" class={isOutageFault(fault) ? 'alert warning' : 'alert'}>
      <Icon name={isOutageFault(fault) ? 'disconnected' : 'alert_circle'} />
      <div>
        <strong>{text.title}</strong>
        <p>{text.advice}</p>
        {listDetails(fault).map((detail) => (
          <p key={detail} class="dimmed">
            {detail}
          </p>
        ))}
        {text === faults.unexpected && fault.requestId && (
          <p class="dimmed">
            {common.request_id}: {fault.requestId}
          </p>
        )}
        {retry && isRetryable(fault) && (
          <Button look="default compact" onClick={retry}>
            {common.try_again}
          </Button>
        )}
      </div>
    </div>
  )
}
