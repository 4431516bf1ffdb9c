import { ActionIcon, Group, NativeSelect, Paper, Stack, Text, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { IconX } from '@tabler/icons-react'
import { useRead } from '../../admin/queries.ts'
import { nameLanguage } from '../../parts/language-name.ts'
import { useTexts } from '../../texts/index.tsx'
import type { DocumentValues } from './document-values.ts'

/** The texts of a document: a title and an address in each language. */
export function TextFields({ form }: { form: UseFormReturnType<DocumentValues> }) {
  const { terms: t } = useTexts('terms')
  const { languages } = form.values
  const pageLanguages = useRead('listPageTexts', { language: 'en' }).data?.languages ?? []
  const otherLanguages = pageLanguages.filter((tag) => !languages.includes(tag))
  const add = (tag: string) => {
    form.setFieldValue(`title_${tag}`, '')
    form.setFieldValue(`url_${tag}`, '')
    form.setFieldValue('languages', [...languages, tag])
  }
  return (
    <Stack gap="sm">
      <div>
        <Text size="sm" fw={600}>
          {t.texts}
        </Text>
        <Text size="xs" c="dimmed">
          {t.texts_hint}
        </Text>
      </div>
      {languages.map((tag) => (
        <Paper key={tag} role="group" aria-label={nameLanguage(tag)} withBorder p="sm">
          <Stack gap="xs">
            <Group justify="space-between" wrap="nowrap">
              <Text size="sm" fw={600}>
                {nameLanguage(tag)}
              </Text>
              {languages.length > 1 && (
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={t.remove_language({ language: nameLanguage(tag) })}
                  onClick={() =>
                    form.setFieldValue(
                      'languages',
                      languages.filter((one) => one !== tag),
                    )
                  }
                >
                  <IconX size={16} />
                </ActionIcon>
              )}
            </Group>
            <TextInput
              label={t.document_title}
              description={t.document_title_hint}
              lang={tag}
              dir="auto"
              required
              {...form.getInputProps(`title_${tag}`)}
            />
            <TextInput
              label={t.url}
              description={t.url_hint}
              placeholder="https://www.example.com/terms"
              type="url"
              autoComplete="off"
              spellCheck={false}
              {...form.getInputProps(`url_${tag}`)}
            />
          </Stack>
        </Paper>
      ))}
      {otherLanguages.length > 0 && (
        <NativeSelect
          label={t.add_language}
          data={[
            { value: '', label: t.choose_language },
            ...otherLanguages.map((tag) => ({ value: tag, label: nameLanguage(tag) })),
          ]}
          value=""
          onChange={({ currentTarget: { value } }) => value !== '' && add(value)}
          maw={320}
        />
      )}
    </Stack>
  )
}
