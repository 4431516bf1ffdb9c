import { Anchor, Badge, Group } from '@mantine/core'
import { Link } from 'wouter'
import type { SiteReference, User } from '../../admin/types.ts'
import { paths } from '../../shell/paths.ts'
import { useTexts } from '../../texts/index.tsx'

interface UserLinkProps {
  readonly site: SiteReference
  readonly user: Pick<User, 'identifier' | 'block'>
  /** Null: unknown. */
  readonly name: string | null
}

/** A link to a user by the name, or else the beginning of the identifier, and whether the user is blocked. */
export function UserLink({ site, user: { identifier, block }, name }: UserLinkProps) {
  const { users: t } = useTexts('users')
  const isShort = identifier.length <= 16
  return (
    <Group gap="xs">
      <Anchor
        component={Link}
        href={paths.user(site, identifier)}
        size="sm"
        // Short names stay on one line where the table has little space.
        w="max-content"
        maw={160}
        title={identifier}
        {...(name === null && { ff: 'monospace' })}
      >
        {name ?? (isShort ? identifier : `${identifier.slice(0, 16)}…`)}
      </Anchor>
      {block !== undefined && (
        <Badge variant="light" color="red">
          {t.blocked}
        </Badge>
      )}
    </Group>
  )
}
