import { Box, Checkbox, type CheckboxGroupProps, Stack } from '@mantine/core'
import { useRead } from '../admin/queries.ts'

interface Props extends Omit<CheckboxGroupProps, 'children'> {
  readonly account: string
}

/** Choice of sites of an account; nothing if it has none. */
export function SitesChoice({ account, ...group }: Props) {
  const sites = useRead('listSites', { account }).data?.sites ?? []
  if (sites.length === 0) return null
  return (
    <Checkbox.Group {...group}>
      <Box mah={200} style={{ overflowY: 'auto' }}>
        <Stack gap="xs" mt={6}>
          {sites.map(({ site_id, name }) => (
            <Checkbox key={site_id} value={site_id} label={`${name} (${site_id})`} />
          ))}
        </Stack>
      </Box>
    </Checkbox.Group>
  )
}
