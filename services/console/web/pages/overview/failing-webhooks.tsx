import { Alert, Anchor } from '@mantine/core'
import { IconPlugConnectedX } from '@tabler/icons-react'
import { Link } from 'wouter'
import { useRead } from '../../admin/queries.ts'
import type { SiteReference } from '../../admin/types.ts'
import { paths } from '../../shell/paths.ts'
import { useFormat } from '../../texts/format.ts'
import { useTexts } from '../../texts/index.tsx'

const refreshMs = 10_000

/** Warns of webhooks that were paused because their endpoint failed, or fail now. */
export function FailingWebhooks({ site }: { site: SiteReference }) {
  const { overview: t, webhooks } = useTexts()
  const format = useFormat()
  const { data } = useRead('listWebhooks', site, { intervalMs: refreshMs })
  return data?.webhooks.map(({ endpoint_id, name, paused_because, failing_since: since }) => {
    if (paused_because === null && since === null) return null
    return (
      <Alert key={endpoint_id} color={paused_because === null ? 'yellow' : 'red'} icon={<IconPlugConnectedX />}>
        {webhooks.one}{' '}
        <Anchor component={Link} inherit href={paths.webhook(site, endpoint_id)} fw={500}>
          {name}
        </Anchor>{' '}
        {paused_because === null ? t.webhook_failing({ when: format.relative(since ?? '') }) : t.webhook_paused}
      </Alert>
    )
  })
}
