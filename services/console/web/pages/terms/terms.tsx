import { Alert, Anchor, List, Paper, Stack, Text } from '@mantine/core'
import { Link } from 'wouter'
import { useHasRole } from '../../admin/permissions.ts'
import { useRead } from '../../admin/queries.ts'
import type { SiteReference, TermsDocument } from '../../admin/types.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { paths } from '../../shell/paths.ts'
import { useTexts } from '../../texts/index.tsx'
import { DocumentCard } from './document-card.tsx'
import { AddDocument } from './document-dialogs.tsx'

/** The documents that end users of the site accept at a login. */
export function TermsPage({ site }: { site: SiteReference }) {
  const { terms: t, common } = useTexts('terms')
  const query = useRead('readTerms', site)
  const isEditor = useHasRole(site)('editor')
  const names = query.data?.documents.map(({ name }) => name)
  return (
    <Page title={t.title} about={t.about} actions={isEditor && names && <AddDocument site={site} names={names} />}>
      {!isEditor && <Alert color="gray">{common.read_only}</Alert>}
      <Loaded of={query}>
        {({ documents }) => (
          <>
            <DocumentList site={site} documents={documents} />
            <Section title={t.shown} about={t.shown_about}>
              <List size="sm" maw={720}>
                {Object.values(t.shown_rules).map((rule) => (
                  <List.Item key={rule}>{rule}</List.Item>
                ))}
              </List>
              <Anchor component={Link} href={paths.lookPreview(site, 'terms')} size="sm">
                {t.preview}
              </Anchor>
            </Section>
          </>
        )}
      </Loaded>
    </Page>
  )
}

function DocumentList({ site, documents }: { site: SiteReference; documents: readonly TermsDocument[] }) {
  const { terms: t } = useTexts('terms')
  if (documents.length === 0)
    return (
      <Paper withBorder p="xl">
        <Text c="dimmed" ta="center">
          {t.empty}
        </Text>
      </Paper>
    )
  return (
    <Stack component="ol" aria-label={t.documents} gap="sm" p={0} m={0} style={{ listStyle: 'none' }}>
      {documents.map((document, position) => (
        <DocumentCard
          key={document.name}
          site={site}
          document={document}
          isFirst={position === 0}
          isLast={position === documents.length - 1}
        />
      ))}
    </Stack>
  )
}
