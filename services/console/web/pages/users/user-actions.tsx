import { Checkbox, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { useHasRole } from '../../admin/permissions.ts'
import { mutate } from '../../admin/queries.ts'
import type { Provider, SiteReference, User } from '../../admin/types.ts'
import { DangerButton } from '../../parts/danger-button.tsx'
import { useNameProvider } from '../../parts/site-providers.ts'
import { paths } from '../../shell/paths.ts'
import { useTexts } from '../../texts/index.tsx'

export type UserReference = SiteReference & { readonly identifier: string }

export function UnlinkProvider({ name, provider, last }: { name: UserReference; provider: Provider; last: boolean }) {
  const { users: t } = useTexts('users')
  const nameProvider = useNameProvider()
  const hasRole = useHasRole(name)
  if (!hasRole('editor')) return null
  return (
    <DangerButton
      label={t.unlink}
      title={t.unlink_title({ provider: nameProvider(provider) })}
      warning={
        <Stack gap="sm">
          <span>{t.unlink_warning}</span>
          {last && (
            <Text span size="sm" fw={600} c="red">
              {t.unlink_last}
            </Text>
          )}
        </Stack>
      }
      change={() => mutate('unlinkProvider', { ...name, provider, ...(last ? { force: 'true' } : {}) })}
    />
  )
}

export function DeleteProfile({ name }: { name: UserReference }) {
  const { users: t } = useTexts('users')
  const hasRole = useHasRole(name)
  const [prohibit, setProhibit] = useState(false)
  if (!hasRole('editor')) return null
  return (
    <DangerButton
      label={t.delete_data}
      title={t.delete_data_title}
      size="sm"
      warning={
        <Stack gap="sm">
          <span>{t.delete_data_warning}</span>
          <Checkbox
            label={t.prohibit}
            description={t.prohibit_hint}
            checked={prohibit}
            onChange={(event) => setProhibit(event.currentTarget.checked)}
          />
        </Stack>
      }
      change={() => mutate('deleteUserProfile', { ...name, ...(prohibit ? { prohibit: 'true' } : {}) })}
    />
  )
}

export function DeleteUser({ name }: { name: UserReference }) {
  const { users: t } = useTexts('users')
  const hasRole = useHasRole(name)
  const [, navigate] = useLocation()
  const showUsers = () => navigate(`${paths.site(name)}/users`, { replace: true })
  if (!hasRole('owner')) return null
  return (
    <DangerButton
      label={t.delete_user}
      title={t.delete_user_title}
      warning={t.delete_user_warning}
      size="sm"
      variant="filled"
      change={() => mutate('deleteUser', name, { beforeRefresh: showUsers })}
    />
  )
}

/** Deletes the users that are selected in the list, one after the other. Those that remain after an error stay selected. */
export function DeleteUsers({ site, users }: { site: SiteReference; users: readonly User[] }) {
  const { users: t } = useTexts('users')
  const count = users.length
  return (
    <DangerButton
      label={t.delete_users({ count })}
      title={t.delete_users_title({ count })}
      warning={t.delete_user_warning}
      change={async () => {
        for (const { identifier } of users) await mutate('deleteUser', { ...site, identifier })
      }}
    />
  )
}
