import { Alert, Anchor, Button, Group, Loader, Stack, Text } from '@mantine/core'
import { IconExternalLink } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'wouter'
import { useAct, useRead } from '../../admin/queries.ts'
import type { LoginProvider, SiteName, User } from '../../admin/types.ts'
import { Failure } from '../../parts/failure.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Section } from '../../parts/page.tsx'
import { placeOf } from '../../shell/places.ts'
import { useTexts } from '../../texts/index.tsx'
import { ProfileTable } from '../users/profile-table.tsx'
import { authorizationAddress, freshValues } from './authorization.ts'

const watched_ms = 2_000
const users_looked_at = 100

interface Props {
  readonly site: SiteName
  readonly provider: LoginProvider
  readonly asked: Parameters<typeof authorizationAddress>[0]
}

/** A login the real way, in a new tab; here it is waited for, and what the provider told is shown. */
export function TestLogin({ site, provider, asked }: Props) {
  const { providers: t } = useTexts()
  const [begun_at, setBegun] = useState<number>()
  const beginning = useAct(async () => {
    // Opened at once: later, the browser would take it for a pop-up that nobody asked for.
    const tab = window.open('about:blank')
    const address = authorizationAddress(asked, await freshValues())
    // Whole seconds, as the service tells them.
    setBegun(Math.floor(Date.now() / 1_000) * 1_000)
    if (tab === null) throw new Error(t.test_blocked)
    tab.opener = null
    tab.location.replace(address)
  })
  return (
    <Section title={t.test} about={t.test_about}>
      <Group>
        <Button
          variant="default"
          leftSection={<IconExternalLink size={18} />}
          loading={beginning.busy}
          onClick={() => beginning.run()}
        >
          {t.test_do}
        </Button>
      </Group>
      {beginning.fault && <Failure fault={beginning.fault} />}
      {begun_at !== undefined && <Outcome key={begun_at} site={site} provider={provider} begun_at={begun_at} />}
    </Section>
  )
}

function Outcome({ site, provider, begun_at }: Omit<Props, 'asked'> & { begun_at: number }) {
  const { providers: t } = useTexts()
  const [came, setCame] = useState<User>()
  const recent = useRead(
    'listUsers',
    { ...site, limit: users_looked_at, last_login_within: '1h' },
    { every_ms: came ? false : watched_ms },
  )
  const user = recent.data?.users.find(
    ({ last_logged_in_at: at, last_logged_in_provider }) =>
      last_logged_in_provider === provider && at !== null && Date.parse(at) >= begun_at,
  )
  if (user && !came) setCame(user)
  if (came) return <Came site={site} user={came} />
  return (
    <Text size="sm" c="dimmed" role="status">
      <Loader size="xs" mr="xs" />
      {t.test_waiting}
    </Text>
  )
}

function Came({ site, user }: { site: SiteName; user: User }) {
  const { providers: t } = useTexts()
  const query = useRead('readUser', { ...site, identifier: user.identifier })
  return (
    <Stack role="status">
      <Alert color="teal">
        {t.test_came}{' '}
        <Anchor component={Link} href={placeOf.user(site, user.identifier)} size="sm">
          {t.test_user}
        </Anchor>
      </Alert>
      <Loaded of={query}>{(detail) => <ProfileTable detail={detail} />}</Loaded>
    </Stack>
  )
}
