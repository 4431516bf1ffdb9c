import { ActionIcon, Anchor, Badge, Group, Paper, Stack, Text } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { useHasRole } from '../../admin/permissions.ts'
import type { SiteReference, TermsDocument } from '../../admin/types.ts'
import { useAction } from '../../admin/use-action.ts'
import { DangerButton } from '../../parts/danger-button.tsx'
import { FaultAlert } from '../../parts/fault-alert.tsx'
import { nameLanguage } from '../../parts/language-name.ts'
import { useLanguage, useTexts } from '../../texts/index.tsx'
import { changeDocuments, moveDocument, removeDocument } from './change-documents.ts'
import { EditDocument, NewVersion } from './document-dialogs.tsx'

interface Props {
  readonly site: SiteReference
  readonly document: TermsDocument
  readonly isFirst: boolean
  readonly isLast: boolean
}

/** A document with its texts and its actions. */
export function DocumentCard({ site, document, isFirst, isLast }: Props) {
  const { terms: t } = useTexts('terms')
  const { language } = useLanguage()
  const isEditor = useHasRole(site)('editor')
  const { name, kind, version, minimum_version, texts } = document
  const title = (texts[language] ?? texts.en ?? Object.values(texts)[0])?.title ?? name
  return (
    <Paper component="li" withBorder p="md">
      <Stack component="section" aria-label={title} gap="sm">
        <Group justify="space-between" align="flex-start">
          <Stack gap={4} flex="1 1 280px" miw={0}>
            <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
              {title}
            </Text>
            <Group gap="xs">
              <Text span ff="monospace" size="sm" c="dimmed">
                {name}
              </Text>
              <Badge variant="light" color={kind === 'required' ? 'blue' : 'gray'}>
                {t.kinds[kind]}
              </Badge>
              <Badge variant="light" color="gray">
                {t.version({ version })}
              </Badge>
            </Group>
          </Stack>
          {isEditor && <Moves site={site} name={name} title={title} isFirst={isFirst} isLast={isLast} />}
        </Group>
        <Texts texts={texts} />
        <Text size="sm" c="dimmed">
          {minimum_version === 1 ? t.asked_once : t.asked_until({ version: minimum_version })}
        </Text>
        {isEditor && (
          <Group gap="xs">
            <NewVersion site={site} document={document} title={title} />
            <EditDocument site={site} document={document} title={title} />
            <DangerButton
              label={t.remove}
              target={title}
              title={t.remove_title({ title })}
              warning={t.remove_warning}
              change={() => changeDocuments(site, (documents) => removeDocument(documents, name))}
            />
          </Group>
        )}
      </Stack>
    </Paper>
  )
}

/** The title in each language, which leads to its address. */
function Texts({ texts }: Pick<TermsDocument, 'texts'>) {
  return (
    <Stack gap={4}>
      {Object.entries(texts).map(([tag, { title, url }]) => (
        <Text key={tag} size="sm" style={{ overflowWrap: 'anywhere' }}>
          <Text span c="dimmed" inherit>
            {nameLanguage(tag)}:{' '}
          </Text>
          <span lang={tag}>{title}</span>
          {url !== null && (
            <>
              {' · '}
              <Anchor href={url.replaceAll('{language}', tag)} target="_blank" rel="noreferrer" inherit>
                {url}
              </Anchor>
            </>
          )}
        </Text>
      ))}
    </Stack>
  )
}

interface MovesProps extends Omit<Props, 'document'> {
  readonly name: string
  readonly title: string
}

/** Buttons that change the place of a document. */
function Moves({ site, name, title, isFirst, isLast }: MovesProps) {
  const { terms: t } = useTexts('terms')
  const move = useAction((by: -1 | 1) => changeDocuments(site, (documents) => moveDocument(documents, name, by)))
  return (
    <Stack gap="xs" align="flex-end">
      <Group gap={4} wrap="nowrap">
        <ActionIcon
          variant="default"
          size="lg"
          disabled={isFirst || move.isBusy}
          aria-label={t.move_up({ title })}
          onClick={() => move.run(-1)}
        >
          <IconArrowUp size={18} />
        </ActionIcon>
        <ActionIcon
          variant="default"
          size="lg"
          disabled={isLast || move.isBusy}
          aria-label={t.move_down({ title })}
          onClick={() => move.run(1)}
        >
          <IconArrowDown size={18} />
        </ActionIcon>
      </Group>
      {move.fault && <FaultAlert fault={move.fault} />}
    </Stack>
  )
}
