import { Anchor } from '@mantine/core'
import { Link } from 'wouter'
import type { AuditEntry } from '../../admin/types.ts'
import { paths } from '../../shell/paths.ts'
import { useTexts } from '../../texts/index.tsx'

/** Names the actor of an entry: a member or a token, or what kind of actor has no name. */
export function useNameActor(): (entry: AuditEntry) => string {
  const { audit: t } = useTexts('audit')
  return ({ actor, actor_kind }) => (actor_kind === 'end_user' ? t.end_user : actor)
}

/** The actor of an entry; an end user with a link to the user. */
export function ActorName({ of: entry }: { of: AuditEntry }) {
  const name = useNameActor()(entry)
  const { account, site_id, actor_kind, after } = entry
  const identifier: unknown = Reflect.get(Object(after), 'identifier')
  if (actor_kind !== 'end_user' || account === null || site_id === null || typeof identifier !== 'string') return name
  return (
    <Anchor component={Link} href={paths.user({ account, site_id }, identifier)} size="sm" title={identifier}>
      {name}
    </Anchor>
  )
}
