import { Button, Radio, Stack, TextInput } from '@mantine/core'
import { useHasRole } from '../../admin/permissions.ts'
import { mutate } from '../../admin/queries.ts'
import type { SiteHost, SiteReference } from '../../admin/types.ts'
import { useAction } from '../../admin/use-action.ts'
import { DangerButton } from '../../parts/danger-button.tsx'
import { FaultAlert } from '../../parts/fault-alert.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { useTexts } from '../../texts/index.tsx'

interface HostName extends SiteReference {
  readonly host: string
}

const purposes = ['login', 'api'] as const

interface NewHost extends Record<string, unknown> {
  host: string
  purpose: SiteHost['purpose']
}

/** A button with a dialog that claims a host. */
export function AddHost({ site }: { site: SiteReference }) {
  const { hosts: t } = useTexts('hosts')
  const initial: NewHost = { host: '', purpose: 'login' }
  return (
    <FormDialog
      documented="host"
      label={t.add}
      initial={initial}
      fields={(form) => (
        <>
          <TextInput
            label={t.host}
            description={t.host_hint}
            autoComplete="off"
            spellCheck={false}
            required
            {...form.getInputProps('host')}
          />
          <Radio.Group label={t.purpose} {...form.getInputProps('purpose')}>
            <Stack gap="xs" mt={4}>
              {purposes.map((purpose) => (
                <Radio key={purpose} value={purpose} label={t.purposes[purpose]} />
              ))}
            </Stack>
          </Radio.Group>
        </>
      )}
      save={async (values) => {
        await mutate('addHost', { ...site, ...values })
        return undefined
      }}
    />
  )
}

/** A button that looks for the proof of a host now. */
export function CheckHost({ name }: { name: HostName }) {
  const { hosts: t } = useTexts('hosts')
  const check = useAction(() => mutate('checkHost', name))
  return (
    <>
      <Button
        variant="default"
        size="compact-sm"
        loading={check.isBusy}
        aria-label={`${t.check} ${name.host}`}
        onClick={() => check.run()}
      >
        {t.check}
      </Button>
      {check.fault && <FaultAlert fault={check.fault} />}
    </>
  )
}

export function RemoveHost({ name }: { name: HostName }) {
  const { hosts: t } = useTexts('hosts')
  const hasRole = useHasRole(name)
  if (!hasRole('owner')) return null
  return (
    <DangerButton
      label={t.remove}
      target={name.host}
      title={t.remove_title({ host: name.host })}
      warning={t.remove_warning}
      change={() => mutate('removeHost', name)}
    />
  )
}
