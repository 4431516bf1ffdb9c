import { DangerButton } from './danger-button.tsx'
import { Section } from './page.tsx'

interface Props {
  /** Heading, and label of the button. */
  readonly label: string
  readonly about: string
  /** The question of the dialog. */
  readonly title: string
  readonly warning: string
  readonly remove: () => Promise<unknown>
}

/** The last part of a resource's page: removes the resource. */
export function RemoveSection({ label, about, title, warning, remove }: Props) {
  return (
    <Section title={label} about={about}>
      <div>
        <DangerButton label={label} title={title} warning={warning} change={remove} size="sm" />
      </div>
    </Section>
  )
}
