import { Button, Code, Group, Stack, Textarea } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useState } from 'react'
import { call } from '../../admin/call.ts'
import type { AdminOutput, SiteReference } from '../../admin/types.ts'
import { useAction } from '../../admin/use-action.ts'
import { FaultAlert } from '../../parts/fault-alert.tsx'
import { useTexts } from '../../texts/index.tsx'
import { parseObject, toDefinition } from './definition-values.ts'
import type { ProviderValues } from './provider-values.ts'

interface Props {
  readonly form: UseFormReturnType<ProviderValues>
  readonly site: SiteReference
  readonly provider: string
}

/** Shows what becomes of claims that are entered, by the definition as it is in the form. */
export function ProfilePreview({ form, site, provider }: Props) {
  const { definition: t } = useTexts('definition')
  const [text, setText] = useState('')
  const [read, setRead] = useState<AdminOutput<'previewProviderProfile'>>()
  const claims = parseObject(text)
  const preview = useAction(async () => {
    const definition = toDefinition(form.values)
    setRead(await call('previewProviderProfile', { ...site, provider, definition, claims: { ...claims } }))
  })
  return (
    <Stack gap="xs">
      <Textarea
        label={t.claims}
        description={t.claims_hint}
        placeholder='{ "sub": "1", "name": "Ada King" }'
        autosize
        minRows={2}
        maxRows={12}
        autoComplete="off"
        spellCheck={false}
        styles={{ input: { fontFamily: 'monospace' } }}
        value={text}
        error={claims === undefined && t.details_invalid}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Group>
        <Button
          variant="default"
          size="compact-sm"
          disabled={text.trim() === '' || claims === undefined}
          loading={preview.isBusy}
          onClick={() => preview.run()}
        >
          {t.claims_submit}
        </Button>
      </Group>
      {preview.fault && <FaultAlert fault={preview.fault} />}
      {read && (
        <Code block aria-label={t.claims_read}>
          {JSON.stringify(read, null, 2)}
        </Code>
      )}
    </Stack>
  )
}
