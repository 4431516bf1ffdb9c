import { Button, Group, Stack, Text } from '@mantine/core'
import { RequestFault } from '../../admin/fault.ts'
import { mutate } from '../../admin/queries.ts'
import type { SiteLook, SiteReference } from '../../admin/types.ts'
import { useAction } from '../../admin/use-action.ts'
import { FaultAlert } from '../../parts/fault-alert.tsx'
import { notify } from '../../parts/notify.ts'
import { useSavedNotification } from '../../parts/saved-notification.tsx'
import { useTexts } from '../../texts/index.tsx'
import { type LookForm, showErrors } from './look-form.ts'

interface Props {
  readonly site: SiteReference
  readonly form: LookForm
  readonly saved: SiteLook
}

/** Saves the draft, or publishes it. */
export function SaveButtons({ site, form, saved: { revision, changed } }: Props) {
  const { look: t } = useTexts('look')
  const notifySaved = useSavedNotification()
  const save = useAction(async (publish: boolean) => {
    try {
      await mutate('saveLook', { ...site, ...form.getValues(), publish }, { revision })
    } catch (error) {
      if (error instanceof RequestFault) showErrors(form.setErrors, error)
      throw error
    }
    form.resetDirty()
    if (publish) void notify({ message: t.published_now, color: 'teal' })
    else notifySaved()
  })
  return (
    <Stack mt="lg" py="sm" gap="xs" pos="sticky" bottom={0} bg="var(--mantine-color-body)" style={{ zIndex: 1 }}>
      {save.fault && <FaultAlert fault={save.fault} />}
      {changed && !form.isDirty() && (
        <Text size="sm" c="dimmed">
          {t.not_published}
        </Text>
      )}
      <Group>
        <Button variant="default" loading={save.isBusy} disabled={!form.isDirty()} onClick={() => save.run(false)}>
          {t.save}
        </Button>
        <Button loading={save.isBusy} disabled={!form.isDirty() && !changed} onClick={() => save.run(true)}>
          {t.publish}
        </Button>
      </Group>
    </Stack>
  )
}
