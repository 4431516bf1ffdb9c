import type { z } from 'zod'
import type { UserRecord } from '#contracts'
import type { ExportedUser } from './columns.ts'

/** Formats users as records, a line of JSON each, which an import reads. */
export function toRecordLines(users: readonly ExportedUser[]): string {
  return users.map((user) => `${JSON.stringify(toRecord(user))}\n`).join('')
}

function toRecord({
  user: { sessions_ended_at: _, ...user },
  links,
  profile,
  metadata,
  consents,
  credentials,
  statuses,
}: ExportedUser): z.input<typeof UserRecord> {
  return {
    ...user,
    ...(profile?.profile_prohibited ? { profile_prohibited: true } : {}),
    ...(profile === undefined || profile.profile.last_updated_at === null
      ? {}
      : { profile_updated_at: profile.profile.last_updated_at, profile_update_count: profile.profile.update_count }),
    ...(metadata === undefined ? {} : { user_metadata: metadata.user_metadata, app_metadata: metadata.app_metadata }),
    ...(consents === undefined ? {} : { consents: [...consents] }),
    links: links.map(({ link_id, ...link }) => {
      const credential = credentials[link_id]
      const data = profile?.data[link_id]
      const status = statuses[link_id]
      return {
        ...link,
        ...(credential === undefined ? {} : { credential }),
        ...(data === undefined ? {} : { data: { ...data.data, obtained_at: data.obtained_at } }),
        ...(status === undefined || status.friendship_status === null
          ? {}
          : {
              friendship_status: status.friendship_status,
              friendship_status_updated_at: status.friendship_status_updated_at ?? undefined,
            }),
      }
    }),
  }
}
