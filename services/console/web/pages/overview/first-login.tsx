import { Alert, Anchor, Loader } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { Link } from 'wouter'
import { useRead } from '../../admin/queries.ts'
import type { SiteReference } from '../../admin/types.ts'
import { paths } from '../../shell/paths.ts'
import { useTexts } from '../../texts/index.tsx'

const refreshMs = 2_000

/** Waits for the first login of a site, and leads to its user when it has come. */
export function FirstLogin({ site }: { site: SiteReference }) {
  const { overview: t } = useTexts('overview')
  const query = useRead(
    'listUsers',
    { ...site, limit: 1 },
    {
      intervalMs: (read) => (read !== undefined && read.users.length > 0 ? false : refreshMs),
    },
  )
  const [user] = query.data?.users ?? []
  return (
    <Alert
      role="status"
      variant="light"
      color={user === undefined ? 'gray' : 'teal'}
      icon={user === undefined ? <Loader size={18} /> : <IconCheck />}
    >
      {user === undefined ? (
        t.waiting_for_login
      ) : (
        <>
          {t.first_login}{' '}
          <Anchor component={Link} href={paths.user(site, user.identifier)} inherit>
            {t.show_user}
          </Anchor>
        </>
      )}
    </Alert>
  )
}
