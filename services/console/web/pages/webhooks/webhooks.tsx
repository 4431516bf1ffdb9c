import { Anchor, Text } from '@mantine/core'
import { Link, useLocation } from 'wouter'
import { useHasRole } from '../../admin/permissions.ts'
import { mutate, useRead } from '../../admin/queries.ts'
import type { SiteReference } from '../../admin/types.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Page } from '../../parts/page.tsx'
import { DataTable } from '../../parts/table/data-table.tsx'
import { EmptyList } from '../../parts/table/empty-list.tsx'
import { paths } from '../../shell/paths.ts'
import { useTexts } from '../../texts/index.tsx'
import { newWebhook, parseTypes, useWebhookValidators, WebhookFields } from './webhook-fields.tsx'
import { WebhookState } from './webhook-state.tsx'

const refreshMs = 10_000

/** The webhooks of a site, with their state. */
export function WebhooksPage({ site }: { site: SiteReference }) {
  const { webhooks: t, common } = useTexts('webhooks')
  const query = useRead('listWebhooks', site, { intervalMs: refreshMs })
  const hasRole = useHasRole(site)
  return (
    <Page title={t.title} about={t.about} actions={hasRole('owner') && <CreateWebhook site={site} />}>
      <Loaded of={query}>
        {({ webhooks }) => (
          <DataTable
            label={t.title}
            keep="webhooks"
            rows={webhooks}
            name={({ endpoint_id }) => endpoint_id}
            empty={<EmptyList action={hasRole('owner') && t.create}>{t.empty}</EmptyList>}
            columns={[
              {
                title: common.name,
                value: ({ name }) => name,
                cell: ({ endpoint_id, name }) => (
                  <Anchor component={Link} href={paths.webhook(site, endpoint_id)} fw={500}>
                    {name}
                  </Anchor>
                ),
              },
              {
                title: 'URL',
                value: ({ url }) => url,
                cell: ({ url }) => (
                  <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                    {url}
                  </Text>
                ),
              },
              { title: t.types, value: ({ types }) => types?.join(', ') ?? t.all_types },
              { title: t.state, cell: (webhook) => <WebhookState of={webhook} /> },
              {
                title: t.not_delivered,
                number: true,
                value: ({ backlog, waiting }) => backlog + waiting,
              },
            ]}
          />
        )}
      </Loaded>
    </Page>
  )
}

function CreateWebhook({ site }: { site: SiteReference }) {
  const { webhooks: t } = useTexts('webhooks')
  const [, navigate] = useLocation()
  return (
    <FormDialog
      documented="webhook"
      label={t.create}
      isAction
      size="lg"
      initial={newWebhook}
      validate={useWebhookValidators()}
      fields={(form) => <WebhookFields form={form} create />}
      save={async (values) => {
        const { webhook, secret } = await mutate('createWebhook', { ...site, ...values, ...parseTypes(values) })
        const show = () => navigate(paths.webhook(site, webhook.endpoint_id))
        if (secret === null) {
          show()
          return undefined
        }
        return { title: t.created, advice: t.secret_advice, values: [{ label: t.secret, value: secret }], next: show }
      }}
    />
  )
}
