import { FileInput, SimpleGrid, Text, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useTexts } from '../../texts/index.tsx'
import type { ProviderValues } from './provider-values.ts'

const themes = ['light', 'dark'] as const
const colors = ['background', 'text'] as const

/** The look of a login button, by its usual colors until others are entered. */
const usual = {
  light: { background: '#ffffff', text: '#1f1f1f' },
  dark: { background: '#131314', text: '#e3e3e3' },
}

/** Inputs for the logo and the colors of the login button. */
export function LookFields({ form }: { form: UseFormReturnType<ProviderValues> }) {
  const { definition: t } = useTexts('definition')
  const { logo, button } = form.values
  const setColor = (theme: (typeof themes)[number], name: (typeof colors)[number], color: string) => {
    const { light = usual.light, dark = button?.light ?? usual.dark } = button ?? {}
    const both = { light, dark }
    form.setFieldValue('button', { ...both, [theme]: { ...both[theme], [name]: color } })
  }
  return (
    <>
      <FileInput
        label={t.logo}
        description={t.logo_hint}
        accept="image/png,image/svg+xml"
        clearable
        placeholder={logo === '' ? undefined : t.logo_stored}
        error={form.errors.logo}
        onChange={(file) => void readLogo(file).then((url) => form.setFieldValue('logo', url))}
      />
      <SimpleGrid cols={{ base: 2, sm: 4 }}>
        {themes.flatMap((theme) =>
          colors.map((name) => (
            <TextInput
              key={theme + name}
              type="color"
              label={t[`${theme}_${name}`]}
              value={(button?.[theme] ?? button?.light ?? usual[theme])[name]}
              onChange={(event) => setColor(theme, name, event.currentTarget.value)}
            />
          )),
        )}
      </SimpleGrid>
      {form.errors.button && (
        <Text size="xs" c="red">
          {form.errors.button}
        </Text>
      )}
    </>
  )
}

/** The file as a data URL; empty without a file. */
function readLogo(file: File | null): Promise<string> {
  return new Promise((resolve) => {
    if (file === null) return resolve('')
    const reader = new FileReader()
    reader.onload = () => resolve(typeof reader.result === 'string' ? reader.result : '')
    reader.readAsDataURL(file)
  })
}
