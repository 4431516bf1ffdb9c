import { useHasRole } from '../../admin/permissions.ts'
import { mutate } from '../../admin/queries.ts'
import type { SiteReference, Webhook } from '../../admin/types.ts'
import { SigningSecrets } from '../../parts/signing-secrets.tsx'
import { useTexts } from '../../texts/index.tsx'

/** The valid secrets of a webhook, and their roll-over. */
export function WebhookSecrets({ site, webhook }: { site: SiteReference; webhook: Webhook }) {
  const { webhooks: t } = useTexts('webhooks')
  const hasRole = useHasRole(site)
  const { endpoint_id, secrets } = webhook
  const roll = async (overlapHours: number) => {
    const rolled = await mutate('rollWebhookSecret', { ...site, endpoint_id, overlap_hours: overlapHours })
    if (rolled.secret !== null) return { advice: t.secret_advice, values: [{ label: t.secret, value: rolled.secret }] }
    return { advice: t.public_key_advice, values: [{ label: t.public_key, value: rolled.webhook.public_key ?? '' }] }
  }
  return <SigningSecrets about={t.secrets_about} secrets={secrets} roll={hasRole('owner') && roll} />
}
