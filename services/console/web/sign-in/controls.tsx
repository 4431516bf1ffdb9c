/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { Icon, type IconName } from './icons.tsx'

interface ButtonProps {
  readonly children: ComponentChildren
  readonly icon?: IconName
  /** `primary` and `large`: the first thing to do on a page. */
  readonly look?: 'primary' | 'primary large' | 'default' | 'default compact'
  readonly isBusy?: boolean
  readonly disabled?: boolean
  /** Without it, the button submits its form. */
  readonly onClick?: () => void
}

/** A busy button keeps the focus; `useSignInAction` ignores its clicks. */
export function Button({ children, icon, look = 'default', isBusy = false, disabled = false, onClick }: ButtonProps) {
  return (
    <button
      type={onClick === undefined ? 'submit' : 'button'}
      class={`button ${look}`}
      disabled={disabled}
      aria-disabled={isBusy}
      onClick={onClick}
    >
      {isBusy ? <span class="spinner" /> : icon && <Icon name={icon} />}
      {children}
    </button>
  )
}

interface FieldProps {
  readonly label: string
  readonly hint?: string
  readonly error?: string | undefined
  readonly value: string
  readonly onChange: (value: string) => void
  readonly type?: 'text' | 'email'
  readonly autocomplete?: 'off' | 'username'
  readonly maxLength?: number
}

/** A required field of a form. */
export function InputField({
  label,
  hint,
  error,
  value,
  onChange,
  type = 'text',
  autocomplete = 'off',
  maxLength = 320,
}: FieldProps) {
  const id = useId()
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')
  return (
    <div class="field">
      <label for={id}>
        {label} <span aria-hidden="true">*</span>
      </label>
      {hint && <p id={`${id}-hint`}>{hint}</p>}
      <input
        id={id}
        type={type}
        // Preact's types want to know that it is no combobox.
        list={undefined}
        autocomplete={autocomplete}
        maxLength={maxLength}
        value={value}
        required
        aria-invalid={error !== undefined}
        aria-describedby={described}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
      {error && (
        <p id={`${id}-error`} class="error" role="status">
          {error}
        </p>
      )}
    </div>
  )
}

/** A form whose button runs an action. */
export function Form({ run, children }: { run: () => void; children: ComponentChildren }) {
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault()
        run()
      }}
    >
      {children}
    </form>
  )
}

/** Shown while the page waits for the service. */
export function WaitingText({ children }: { children: ComponentChildren }) {
  return (
    <p class="waiting" aria-busy="true">
      <span class="spinner" />
      {children}
    </p>
  )
}
