import { Button, FileButton, Group, Image, Paper, Stack, Text } from '@mantine/core'
import { mutate, useRead } from '../../admin/queries.ts'
import type { SiteReference } from '../../admin/types.ts'
import { useAction } from '../../admin/use-action.ts'
import { FaultAlert } from '../../parts/fault-alert.tsx'
import { useTexts } from '../../texts/index.tsx'
import type { LookForm } from './look-form.ts'
import { readPicture } from './reduce-picture.ts'

const uses = { logo: 'logo', logo_dark: 'logo', favicon: 'favicon', background: 'background' } as const
const names = ['logo', 'logo_dark', 'favicon', 'background'] as const

/** The pictures of the pages. */
export function PictureFields({ site, form }: { site: SiteReference; form: LookForm }) {
  return (
    <Stack>
      {names.map((name) => (
        <PictureField key={name} site={site} form={form} name={name} />
      ))}
    </Stack>
  )
}

interface FieldProps {
  readonly site: SiteReference
  readonly form: LookForm
  readonly name: (typeof names)[number]
}

function PictureField({ site, form, name }: FieldProps) {
  const { look: t } = useTexts('look')
  const field = `theme.${name}` as const
  const picture = form.values.theme[name]
  const uploading = useAction(async (file: File) => {
    const dataUrl = await readPicture(file, uses[name])
    const upload = await mutate('uploadPicture', { ...site, picture: dataUrl, use: uses[name] })
    form.setFieldValue(field, upload.picture)
    if (name === 'logo' && form.values.theme.header === 'name') form.setFieldValue('theme.header', 'logo')
  })
  return (
    <Paper component="section" aria-label={t.pictures[name]} withBorder p="md">
      <Stack gap="xs">
        <Text fw={500}>{t.pictures[name]}</Text>
        <Text size="sm" c="dimmed">
          {t.picture_hints[name]}
        </Text>
        {picture !== null && <StoredPicture site={site} picture={picture} />}
        <Group>
          <FileButton accept="image/png,image/jpeg" onChange={(file) => file && uploading.run(file)}>
            {(props) => (
              <Button {...props} variant="default" size="compact-sm" loading={uploading.isBusy}>
                {picture === null ? t.choose_file : t.replace_file}
              </Button>
            )}
          </FileButton>
          {picture !== null && (
            <Button variant="subtle" color="red" size="compact-sm" onClick={() => form.setFieldValue(field, null)}>
              {t.remove_file}
            </Button>
          )}
        </Group>
        {uploading.fault && <FaultAlert fault={uploading.fault} />}
      </Stack>
    </Paper>
  )
}

function StoredPicture({ site, picture }: { site: SiteReference; picture: string }) {
  const { data } = useRead('readPicture', { ...site, picture }, { isFinal: (read) => read !== undefined })
  return (
    <Image
      src={data?.picture ?? null}
      alt=""
      mah={80}
      maw={240}
      w="auto"
      fit="contain"
      bg="var(--mantine-color-gray-1)"
    />
  )
}
