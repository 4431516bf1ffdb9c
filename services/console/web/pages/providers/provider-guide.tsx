import { Alert, Anchor, List, Stack, Text } from '@mantine/core'
import { IconExternalLink, IconInfoCircle } from '@tabler/icons-react'
import type { ProviderSettings } from '../../admin/types.ts'
import { CopyableValue } from '../../parts/copyable-value.tsx'
import { Section } from '../../parts/page.tsx'
import { useGuide } from '../../texts/guides.ts'
import { useTexts } from '../../texts/index.tsx'

interface Props {
  readonly settings: ProviderSettings
  /** The provider's own console, if it is known. */
  readonly consoleUrl: string | undefined
}

/** Steps in the provider's own console, and the values to enter there. */
export function ProviderGuide({ settings, consoleUrl }: Props) {
  const { providers: t } = useTexts('providers')
  const guide = useGuide(settings)
  const webhooks = Object.entries(settings.webhook_uris)
  const labels: Readonly<Record<string, string>> = t.webhook_urls
  return (
    <Stack>
      <Section title={t.guide} about={t.guide_about}>
        <List type="ordered" spacing="xs" withPadding={false}>
          {Object.values(guide.steps).map((step) => (
            <List.Item key={step}>{step}</List.Item>
          ))}
        </List>
        {consoleUrl && (
          <Anchor href={consoleUrl} target="_blank" rel="noreferrer" size="sm">
            {t.to_console} <IconExternalLink size={14} style={{ verticalAlign: 'middle' }} />
          </Anchor>
        )}
        {Object.values(guide.warnings ?? {}).map((warning) => (
          <Alert key={warning} color="gray" icon={<IconInfoCircle />} p="sm">
            {warning}
          </Alert>
        ))}
      </Section>
      <Section title={t.provider_values}>
        <CopyableValue label={t.callback} value={settings.provider_callback} />
        {settings.other_callbacks.map((callback) => (
          <CopyableValue key={callback} label={t.other_callback} value={callback} />
        ))}
        {settings.logout_return_uri !== null && (
          <CopyableValue label={t.logout_return} value={settings.logout_return_uri} />
        )}
        {webhooks.length > 0 && (
          <Stack gap={4}>
            {webhooks.map(([topic, uri]) => (
              <CopyableValue key={topic} label={labels[topic] ?? t.webhook_url} value={uri} />
            ))}
            <Text size="sm" c="dimmed">
              {guide.webhook_hint}
            </Text>
          </Stack>
        )}
      </Section>
    </Stack>
  )
}
