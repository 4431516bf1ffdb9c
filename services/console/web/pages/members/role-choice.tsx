import { roles } from 'virtual:contract'
import { Radio, type RadioGroupProps, Stack } from '@mantine/core'
import { useTexts } from '../../texts/index.tsx'

export function RoleChoice(props: Omit<RadioGroupProps, 'children' | 'label'>) {
  const { common } = useTexts()
  return (
    <Radio.Group label={common.role} {...props}>
      <Stack gap="xs" mt={6}>
        {roles.map((role) => (
          <Radio key={role} value={role} label={common.roles[role]} description={common.role_descriptions[role]} />
        ))}
      </Stack>
    </Radio.Group>
  )
}
