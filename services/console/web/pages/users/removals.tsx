import { Checkbox, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { useMay } from '../../admin/may.ts'
import { act } from '../../admin/queries.ts'
import type { Provider, SiteName } from '../../admin/types.ts'
import { Danger } from '../../parts/danger.tsx'
import { placeOf } from '../../shell/places.ts'
import { useTexts } from '../../texts/index.tsx'

export type UserName = SiteName & { readonly identifier: string }

export function Unlink({ name, provider, last }: { name: UserName; provider: Provider; last: boolean }) {
  const { users: t, common } = useTexts()
  const may = useMay(name.account)
  if (!may('editor')) return null
  return (
    <Danger
      label={t.unlink}
      title={t.unlink_title({ provider: common.providers[provider] })}
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
      change={() => act('unlinkProvider', { ...name, provider, ...(last ? { force: 'true' } : {}) })}
    />
  )
}

export function DeleteData({ name }: { name: UserName }) {
  const { users: t } = useTexts()
  const may = useMay(name.account)
  const [prohibit, setProhibit] = useState(false)
  if (!may('editor')) return null
  return (
    <Danger
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
      change={() => act('deleteUserProfile', { ...name, ...(prohibit ? { prohibit: 'true' } : {}) })}
    />
  )
}

export function DeleteUser({ name }: { name: UserName }) {
  const { users: t } = useTexts()
  const may = useMay(name.account)
  const [, navigate] = useLocation()
  const leave = () => navigate(`${placeOf.site(name)}/users`, { replace: true })
  if (!may('owner')) return null
  return (
    <Danger
      label={t.delete_user}
      title={t.delete_user_title}
      warning={t.delete_user_warning}
      size="sm"
      variant="filled"
      change={() => act('deleteUser', name, { leave })}
    />
  )
}
