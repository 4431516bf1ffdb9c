import { Alert, Group, SimpleGrid, Stack } from '@mantine/core'
import { useLocation } from 'wouter'
import { call } from '../../admin/call.ts'
import { useHasRole } from '../../admin/permissions.ts'
import { mutate, useRead } from '../../admin/queries.ts'
import type { SiteReference, Webhook } from '../../admin/types.ts'
import { ChangeForm } from '../../parts/change-form.tsx'
import { Columns } from '../../parts/columns.tsx'
import { CopyableValue } from '../../parts/copyable-value.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { RemoveSection } from '../../parts/remove-section.tsx'
import { useDocumentedForm } from '../../parts/use-documented-form.tsx'
import { paths } from '../../shell/paths.ts'
import { useTexts } from '../../texts/index.tsx'
import { Deliveries } from './deliveries.tsx'
import { SendTest } from './send-test.tsx'
import { parseTypes, toWebhookValues, useWebhookValidators, WebhookFields } from './webhook-fields.tsx'
import { WebhookSecrets } from './webhook-secrets.tsx'
import { WebhookState } from './webhook-state.tsx'

const refreshMs = 10_000

/** Settings, secrets and deliveries of a webhook. */
export function WebhookPage({ site, endpoint_id }: { site: SiteReference; endpoint_id: string }) {
  const { webhooks: t } = useTexts('webhooks')
  const query = useRead('readWebhook', { ...site, endpoint_id }, { intervalMs: refreshMs })
  const hasRole = useHasRole(site)
  return (
    <Page
      title={query.data?.name ?? t.one}
      actions={
        query.data && (
          <Group>
            <WebhookState of={query.data} />
            {hasRole('editor') && <SendTest site={site} webhook={query.data} />}
          </Group>
        )
      }
    >
      <Loaded of={query}>{(webhook) => <WebhookDetails site={site} webhook={webhook} />}</Loaded>
    </Page>
  )
}

function WebhookDetails({ site, webhook }: { site: SiteReference; webhook: Webhook }) {
  const { webhooks: t, common } = useTexts('webhooks')
  const hasRole = useHasRole(site)
  const [, navigate] = useLocation()
  const form = useDocumentedForm('webhook', {
    initialValues: toWebhookValues(webhook),
    validate: useWebhookValidators(),
  })
  const name = { ...site, endpoint_id: webhook.endpoint_id }
  const labels = { name: common.name, url: 'URL', types: t.types, ordered: t.ordered, enabled: t.enabled }
  const showWebhooks = () => navigate(`${paths.site(site)}/webhooks`, { replace: true })
  return (
    <>
      {!hasRole('editor') && <Alert color="gray">{common.read_only}</Alert>}
      {webhook.paused_because !== null && (
        <Alert color="red" title={t.states.paused_by_failures}>
          {t.paused_because[webhook.paused_because]}
        </Alert>
      )}
      {webhook.public_key !== null && (
        <SimpleGrid cols={{ base: 1, md: 2 }}>
          <CopyableValue label={t.public_key} value={webhook.public_key} />
        </SimpleGrid>
      )}
      {hasRole('editor') && <Deliveries site={site} webhook={webhook} />}
      <Columns>
        <Section title={t.settings}>
          <ChangeForm
            form={form}
            labels={labels}
            readonly={!hasRole('editor')}
            revision={webhook.revision}
            reread={async () => toVersion(await call('readWebhook', name))}
            save={async ({ signature: _, ...values }, revision) =>
              toVersion(await mutate('changeWebhook', { ...name, ...values, ...parseTypes(values) }, { revision }))
            }
          >
            <WebhookFields form={form} />
          </ChangeForm>
        </Section>
        <Stack gap="lg">
          <WebhookSecrets site={site} webhook={webhook} />
          {hasRole('owner') && (
            <RemoveSection
              label={t.remove}
              about={t.remove_about}
              title={t.remove_title({ name: webhook.name })}
              warning={t.remove_warning}
              remove={() => mutate('removeWebhook', name, { beforeRefresh: showWebhooks })}
            />
          )}
        </Stack>
      </Columns>
    </>
  )
}

const toVersion = (webhook: Webhook) => ({ values: toWebhookValues(webhook), revision: webhook.revision })
