import { roles } from 'virtual:contract'
import { ActionIcon, Group, NativeSelect, Radio, Stack, Text } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useRead } from '../../admin/queries.ts'
import type { Role } from '../../admin/types.ts'
import { useTexts } from '../../texts/index.tsx'

/** Roles in an account as a form has them; an empty role: only in the sites. */
export interface RoleValues {
  readonly role: Role | ''
  readonly site_roles: Readonly<Record<string, Role>>
}

/** The roles of a form in the format of the Admin API. */
export function toAccountRoles({ role, site_roles }: RoleValues) {
  return { role: role === '' ? null : role, site_roles }
}

interface Props {
  readonly account: string
  readonly value: RoleValues
  readonly onChange: (value: RoleValues) => void
}

/** Choice of a role in the whole account, and of roles in single sites. */
export function AccountRolesChoice({ account, value, onChange }: Props) {
  const { members: t, common } = useTexts('members')
  const setRole = (text: string) => onChange({ ...value, role: roles.find((role) => role === text) ?? '' })
  return (
    <>
      <Radio.Group label={t.role_in_account} value={value.role} onChange={setRole}>
        <Stack gap="xs" mt={6}>
          {roles.map((role) => (
            <Radio key={role} value={role} label={common.roles[role]} description={common.role_descriptions[role]} />
          ))}
          <Radio value="" label={t.only_sites} description={t.only_sites_about} />
        </Stack>
      </Radio.Group>
      <SiteRolesChoice
        account={account}
        value={value.site_roles}
        onChange={(siteRoles) => onChange({ ...value, site_roles: siteRoles })}
      />
    </>
  )
}

interface SiteRolesProps {
  readonly account: string
  readonly value: RoleValues['site_roles']
  readonly onChange: (value: RoleValues['site_roles']) => void
}

function SiteRolesChoice({ account, value, onChange }: SiteRolesProps) {
  const { members: t, common } = useTexts('members')
  const sites = useRead('listSites', { account }).data?.sites ?? []
  const nameOf = (siteId: string) => sites.find(({ site_id }) => site_id === siteId)?.name ?? siteId
  const further = sites.filter(({ site_id }) => value[site_id] === undefined)
  const omit = (siteId: string) => Object.fromEntries(Object.entries(value).filter(([one]) => one !== siteId))
  return (
    <Stack gap="xs">
      <Text size="sm" fw={600}>
        {t.site_roles}
      </Text>
      {Object.entries(value).map(([siteId, role]) => (
        <Group key={siteId} gap="xs" wrap="nowrap" align="flex-end">
          <NativeSelect
            label={nameOf(siteId)}
            data={roles.map((one) => ({ value: one, label: common.roles[one] }))}
            value={role}
            onChange={({ currentTarget }) =>
              onChange({ ...value, [siteId]: roles.find((one) => one === currentTarget.value) ?? role })
            }
            flex={1}
          />
          <ActionIcon
            variant="default"
            size="input-sm"
            aria-label={t.remove_site_role({ site: nameOf(siteId) })}
            onClick={() => onChange(omit(siteId))}
          >
            <IconX size={16} />
          </ActionIcon>
        </Group>
      ))}
      {further.length > 0 && (
        <NativeSelect
          aria-label={t.add_site_role}
          description={t.site_roles_about}
          inputWrapperOrder={['input', 'description']}
          value=""
          data={[
            { value: '', label: t.add_site_role },
            ...further.map(({ site_id, name }) => ({ value: site_id, label: name })),
          ]}
          onChange={({ currentTarget }) => onChange({ ...value, [currentTarget.value]: 'viewer' })}
        />
      )}
    </Stack>
  )
}
