import { roles } from 'virtual:contract'
import { ActionIcon, Button, Group, Input, NativeSelect, Stack, TextInput } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useRead } from '../../admin/queries.ts'
import { useTexts } from '../../texts/index.tsx'
import { formatRule, parseRule, type Rule, toRole } from './form-values.ts'

interface Props {
  readonly account: string
  /** Each as `formatRule` writes it. */
  readonly value: readonly string[]
  readonly onChange: (rules: string[]) => void
  readonly error?: ReactNode
}

/** Values of the role claim, and the role that each gives in the account or in a site. */
export function RoleRules({ account, value, onChange, error }: Props) {
  const { member_sign_in: t, common } = useTexts('member_sign_in')
  const sites = useRead('listSites', { account }).data?.sites ?? []
  const set = (index: number, rule: Rule) => onChange(value.map((one, at) => (at === index ? formatRule(rule) : one)))
  const add = () => onChange([...value, formatRule({ value: '', role: 'viewer', site_id: '' })])
  return (
    <Input.Wrapper label={t.role_rules} labelElement="div" description={t.role_rules_hint} error={error}>
      <Stack gap="xs" mt={6}>
        {value.map((text, index) => {
          const rule = parseRule(text)
          const number = index + 1
          return (
            // The rows have no other identity than their place.
            // biome-ignore lint/suspicious/noArrayIndexKey: see above
            <Group key={index} gap="xs" align="flex-start">
              <TextInput
                aria-label={t.rule_value({ number })}
                placeholder={t.rule_placeholder}
                value={rule.value}
                onChange={({ currentTarget }) => set(index, { ...rule, value: currentTarget.value })}
                flex="1 1 200px"
                maw={300}
              />
              <NativeSelect
                aria-label={t.rule_role({ number })}
                data={roles.map((role) => ({ value: role, label: common.roles[role] }))}
                value={rule.role}
                onChange={({ currentTarget }) =>
                  set(index, { ...rule, role: toRole(currentTarget.value) ?? rule.role })
                }
              />
              <NativeSelect
                aria-label={t.rule_site({ number })}
                data={[
                  { value: '', label: t.all_sites },
                  ...sites.map(({ site_id, name }) => ({ value: site_id, label: name })),
                ]}
                value={rule.site_id}
                onChange={({ currentTarget }) => set(index, { ...rule, site_id: currentTarget.value })}
              />
              <ActionIcon
                variant="default"
                size="input-sm"
                aria-label={t.remove_rule({ number })}
                onClick={() => onChange(value.filter((_, at) => at !== index))}
              >
                <IconX size={16} />
              </ActionIcon>
            </Group>
          )
        })}
        <Group>
          <Button variant="default" size="compact-sm" leftSection={<IconPlus size={16} />} onClick={add}>
            {t.add_rule}
          </Button>
        </Group>
      </Stack>
    </Input.Wrapper>
  )
}
