import { Radio, type RadioGroupProps, Stack } from '@mantine/core'
import { useTexts } from '../texts/index.tsx'

/** Choice between development and production, with explanations. */
export function KindChoice(props: Omit<RadioGroupProps, 'children' | 'label'>) {
  const { sites: t, common } = useTexts('sites')
  return (
    <Radio.Group label={t.kind} {...props}>
      <Stack gap="xs" mt={6}>
        <Radio value="development" label={common.kinds.development} description={t.development_about} />
        <Radio value="production" label={common.kinds.production} description={t.production_about} />
      </Stack>
    </Radio.Group>
  )
}
