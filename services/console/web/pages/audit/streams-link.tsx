import { Button } from '@mantine/core'
import { IconSend } from '@tabler/icons-react'
import { Link } from 'wouter'
import { useHasRole } from '../../admin/permissions.ts'
import { paths } from '../../shell/paths.ts'
import { useTexts } from '../../texts/index.tsx'

/** Leads to the streams of the same entries, for those who may see them. */
export function StreamsLink({ account, isOfSite }: { account: string | undefined; isOfSite: boolean }) {
  const { audit: t } = useTexts('audit')
  const hasRole = useHasRole({ account: account ?? '' })
  if (isOfSite || !hasRole('owner')) return null
  return (
    <Button component={Link} href={paths.auditStreams(account)} variant="default" leftSection={<IconSend size={18} />}>
      {t.streams}
    </Button>
  )
}
