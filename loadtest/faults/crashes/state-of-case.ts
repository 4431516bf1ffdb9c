import { readRows } from '../read-rows.ts'
import type { Databases } from '../stack.ts'

/** Replaces the parts of a text that differ between cases: the tag, and the identifiers in their order. */
export function normalize(text: string, { tag, users }: { tag: string; users: readonly string[] }): string {
  return users
    .reduce((done, identifier, index) => done.replaceAll(identifier, `<user ${index + 1}>`), text)
    .replaceAll(tag, '<tag>')
}

/** Everything that the databases store about the users of a case, normalized, to compare it between cases. */
export async function readState(
  databases: Databases,
  { tag, users }: { tag: string; users: readonly string[] },
): Promise<string> {
  const ids = [...users]
  const own = await readRows<{ identifier: string }>(
    databases.identity,
    `select identifier, primary_key, login_count, blocked_at is not null as is_blocked,
       (select json_build_array(user_metadata, app_metadata, revision) from user_metadata m
        where m.site = users.site and m.identifier = users.identifier) as metadata,
       (select json_build_array(cause, deletion_noticed_at is not null) from user_deletions d
        where d.site = users.site and d.identifier = users.identifier) as deletion,
       (select json_agg(json_build_array(document, version, accepted) order by document) from consents c
        where c.site = users.site and c.identifier = users.identifier) as consents from users
     where identifier = any(?) or primary_key like ?
       or identifier in (select identifier from links where provider_user_id like ?) order by identifier`,
    [ids, `${tag}%`, `${tag}%`],
  )
  const links = await readRows<{ link_id: string }>(
    databases.identity,
    'select link_id, identifier, provider, provider_user_id from links where provider_user_id like ? or identifier = any(?) order by provider',
    [`${tag}%`, ids],
  )
  const profiles = await readRows<unknown>(
    databases.profile,
    `select identifier, prohibited, deleted, combined is not null as has_data, update_count,
       (select coalesce(json_agg(provider order by provider), '[]') from provider_profiles join links l using (link_id)
        where l.site = p.site and l.identifier = p.identifier) as providers
     from profiles p where identifier = any(?) order by identifier`,
    [ids],
  )
  const credentials = await readRows<unknown>(
    databases.provider_auth,
    'select provider, provider_user_id from credentials where provider_user_id like ? or link_id = any(?) order by provider',
    [`${tag}%`, links.map(({ link_id }) => link_id)],
  )
  const recipients = await readRows<unknown>(
    databases.provider_auth,
    `select count(*)::integer as count, received, bool_or(access_removed_at is not null) as is_removed
     from data_recipients where link_id = any(?) group by received order by received`,
    [links.map(({ link_id }) => link_id)],
  )
  const statuses = await readRows<unknown>(
    databases.friendship,
    'select count(*)::integer as statuses from statuses where link_id = any(?)',
    [links.map(({ link_id }) => link_id)],
  )
  const erasures = await readErasures(databases, ids)
  const actions = await readActions(databases, ids)
  // In the order of the prepared users: identifiers of the same second have no order.
  const byUser = (rows: readonly unknown[]) =>
    rows.map((row) => normalize(JSON.stringify(row), { tag, users }).replaceAll(/"link_id":"[^"]+",?/g, '')).sort()
  return JSON.stringify({
    users: byUser(own),
    links: byUser(links),
    profiles: byUser(profiles),
    credentials: byUser(credentials),
    statuses,
    recipients,
    erasures: byUser(erasures),
    actions: byUser(actions),
  })
}

interface Part {
  readonly service: string
  readonly deleted: Readonly<Record<string, number>>
  readonly erased: boolean
}

/**
 * The deletions with what each service deleted. Of events, whether the count is that of the stream: an event that is still on its way
 * when its user is deleted is discarded, and not counted.
 */
async function readErasures({ identity, events }: Databases, ids: readonly string[]): Promise<unknown[]> {
  const rows = await readRows<{ identifier: string; parts: Part[] | null }>(
    identity,
    `select identifier, requested_by, services, receipt is not null as has_receipt,
       (select json_agg(json_build_object('service', service, 'deleted', deleted, 'erased', erased_at is not null)
          order by service) from erasure_parts p
        where p.site = e.site and p.identifier = e.identifier and p.deleted_at = e.deleted_at) as parts
     from erasures e where identifier = any(?)`,
    [[...ids]],
  )
  const streamed = await readRows<{ identifier: string; count: number }>(
    events,
    `select identifier, count(*)::integer as count from events
     where identifier = any(?) and type <> 'user.deleted' group by identifier`,
    [[...ids]],
  )
  const counts = new Map(streamed.map(({ identifier, count }) => [identifier, count]))
  return rows.map(({ parts, ...erasure }) => ({
    ...erasure,
    parts: parts?.map(({ deleted, ...part }) => ({
      ...part,
      deleted: part.service === 'events' ? deleted.events === (counts.get(erasure.identifier) ?? 0) : deleted,
    })),
  }))
}

/**
 * What the audit trail says that the end users did, and how often. Of downloads, whether there are as many as in the stream of events:
 * a download that was interrupted and is repeated counts again.
 */
async function readActions({ console: audit, events }: Databases, ids: readonly string[]): Promise<unknown[]> {
  const rows = await readRows<{ identifier: string; action: string; count: number }>(
    audit,
    `select after ->> 'identifier' as identifier, action, count(*)::integer as count from audit_entries
     where action_id is not null and after ->> 'identifier' = any(?) group by 1, 2`,
    [[...ids]],
  )
  const streamed = await readRows<{ identifier: string; count: number }>(
    events,
    `select identifier, count(*)::integer as count from events
     where identifier = any(?) and type = 'user.data_downloaded' group by identifier`,
    [[...ids]],
  )
  const downloads = new Map(streamed.map(({ identifier, count }) => [identifier, count]))
  return rows.map(({ count, ...action }) => ({
    ...action,
    count: action.action === 'downloadOwnData' ? count === downloads.get(action.identifier) : count,
  }))
}
