import { Button, FileButton, Group, NativeSelect, Stack, Switch, Text, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useRead } from '../../admin/queries.ts'
import type { AdminOutput } from '../../admin/types.ts'
import { nameLanguage } from '../../parts/language-name.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { useLanguage, useTexts } from '../../texts/index.tsx'
import type { LookForm } from './look-form.ts'

type PageTexts = AdminOutput<'listPageTexts'>

/** The texts of the pages, each next to the default one. */
export function WordFields({ form }: { form: LookForm }) {
  const { look: t } = useTexts('look')
  const { language: own } = useLanguage()
  const [language, setLanguage] = useState<string>(own)
  const query = useRead('listPageTexts', { language })
  return (
    <Stack>
      <Text size="sm" c="dimmed">
        {t.words_about}
      </Text>
      <Loaded of={query}>
        {(texts) => (
          <>
            <NativeSelect
              label={t.language}
              data={texts.languages.map((tag) => ({ value: tag, label: nameLanguage(tag) }))}
              value={language}
              onChange={(event) => setLanguage(event.currentTarget.value)}
            />
            <WordsOfLanguage key={language} form={form} language={language} texts={texts.texts} />
          </>
        )}
      </Loaded>
    </Stack>
  )
}

interface LanguageProps {
  readonly form: LookForm
  readonly language: string
  readonly texts: PageTexts['texts']
}

/** More are not shown at once: the search narrows them. */
const maxShown = 30

function WordsOfLanguage({ form, language, texts }: LanguageProps) {
  const { look: t } = useTexts('look')
  const [search, setSearch] = useState('')
  const [onlyChanged, setOnlyChanged] = useState(false)
  const [isFileInvalid, setFileInvalid] = useState(false)
  const words = form.values.words[language] ?? {}
  const change = (changed: Readonly<Record<string, string>>) => {
    const { [language]: _, ...others } = form.values.words
    form.setFieldValue('words', Object.keys(changed).length === 0 ? others : { ...others, [language]: changed })
  }
  const changeOne = (key: string, text: string) => {
    const { [key]: _, ...others } = words
    change(text === '' ? others : { ...others, [key]: text })
  }
  const read = async (file: File) => {
    const changed = parseWords(await file.text())
    setFileInvalid(changed === undefined)
    if (changed !== undefined) change(changed)
  }
  const isShown = ({ key, text }: PageTexts['texts'][number]) =>
    (!onlyChanged || key in words) && `${key} ${text} ${words[key] ?? ''}`.toLowerCase().includes(search.toLowerCase())
  return (
    <Stack>
      <Group justify="space-between">
        <Text size="sm">{t.changed_texts({ count: Object.keys(words).length })}</Text>
        <Group gap="xs">
          <Button
            component="a"
            href={`data:application/json;charset=utf-8,${encodeURIComponent(JSON.stringify(words, undefined, 2))}`}
            download={`${language}.json`}
            variant="default"
            size="compact-sm"
          >
            {t.download}
          </Button>
          <FileButton accept="application/json" onChange={(file) => file && void read(file)}>
            {(props) => (
              <Button {...props} variant="default" size="compact-sm">
                {t.upload}
              </Button>
            )}
          </FileButton>
        </Group>
      </Group>
      {isFileInvalid && (
        <Text size="sm" c="red" role="alert">
          {t.upload_failed}
        </Text>
      )}
      <TextInput label={t.find_text} value={search} onChange={(event) => setSearch(event.currentTarget.value)} />
      <Switch
        label={t.only_changed}
        checked={onlyChanged}
        onChange={(event) => setOnlyChanged(event.currentTarget.checked)}
      />
      {texts
        .filter(isShown)
        .toSorted((one, other) => Number(isOfError(one.key)) - Number(isOfError(other.key)))
        .slice(0, maxShown)
        .map(({ key, text }) => (
          <Textarea
            key={key}
            label={text}
            description={key}
            lang={language}
            dir="auto"
            autosize
            value={words[key] ?? ''}
            onChange={(event) => changeOne(key, event.currentTarget.value)}
            error={form.errors[`words.${language}.${key}`]}
          />
        ))}
    </Stack>
  )
}

/** Texts of error pages are many, and seldom changed. */
function isOfError(key: string): boolean {
  return key.startsWith('pages.')
}

function parseWords(json: string): Record<string, string> | undefined {
  try {
    const entries: [string, unknown][] = Object.entries(JSON.parse(json))
    const texts = entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string')
    return texts.length === entries.length ? Object.fromEntries(texts) : undefined
  } catch {
    return undefined
  }
}
