import { ColorInput, SimpleGrid, Stack, Title } from '@mantine/core'
import { useTexts } from '../../texts/index.tsx'
import type { LookForm } from './look-form.ts'

const schemes = ['light', 'dark'] as const
const colors = ['page', 'card', 'text', 'accent'] as const

/** The colors of light and dark pages. */
export function ColorFields({ form }: { form: LookForm }) {
  const { look: t } = useTexts('look')
  return (
    <Stack>
      {schemes.map((scheme) => (
        <Stack key={scheme} component="section" aria-label={t[scheme]} gap="xs">
          <Title order={2} size="h5">
            {t[scheme]}
          </Title>
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            {colors.map((color) => (
              <ColorInput
                key={color}
                label={t.colors[color]}
                description={t.color_hints[color]}
                format="hex"
                eyeDropperButtonProps={{ 'aria-label': t.pick_color }}
                {...form.getInputProps(`theme.${scheme}.${color}`)}
              />
            ))}
          </SimpleGrid>
        </Stack>
      ))}
    </Stack>
  )
}
