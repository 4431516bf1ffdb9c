import type { AuditStream } from '../../admin/types.ts'
import { SigningSecrets } from '../../parts/signing-secrets.tsx'
import { useTexts } from '../../texts/index.tsx'
import { type StreamOwner, streamProcedures } from './scope.ts'

/** The valid secrets of a webhook, and their replacement. */
export function StreamSecrets({ scope, stream }: { scope: StreamOwner; stream: AuditStream }) {
  const { audit_streams: t } = useTexts('audit_streams')
  const { stream_id, secrets } = stream
  return (
    <SigningSecrets
      about={t.secrets_about}
      secrets={secrets}
      roll={async (overlapHours) => {
        const { secret } = await streamProcedures(scope).rollSecret({ stream_id, overlap_hours: overlapHours })
        return { advice: t.secret_advice, values: [{ label: t.secret, value: secret ?? '' }] }
      }}
    />
  )
}
