import { Alert, Group, SimpleGrid, Text } from '@mantine/core'
import { useRead } from '../../admin/queries.ts'
import type { SiteName, UserDetail } from '../../admin/types.ts'
import { Copied } from '../../parts/copied.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { Rows } from '../../parts/rows.tsx'
import { useFormat } from '../../texts/format.ts'
import { useTexts } from '../../texts/index.tsx'
import { Credentials } from './credentials.tsx'
import { Merge } from './merge.tsx'
import { ProfileTable } from './profile-table.tsx'
import { DeleteData, DeleteUser, Unlink } from './removals.tsx'

/** All there is about a user, without token values. */
export function UserPage({ site, identifier }: { site: SiteName; identifier: string }) {
  const { users: t } = useTexts()
  const query = useRead('readUser', { ...site, identifier }, { personal: true })
  return (
    <Page title={t.one}>
      <Loaded of={query}>{(detail) => <Shown site={site} detail={detail} />}</Loaded>
    </Page>
  )
}

function Shown({ site, detail }: { site: SiteName; detail: UserDetail }) {
  const { users: t, common } = useTexts()
  const format = useFormat()
  const { user, links, logins, credentials, unavailable } = detail
  const name = { ...site, identifier: user.identifier }
  return (
    <>
      {unavailable.length > 0 && (
        <Alert color="yellow" title={t.unavailable}>
          {unavailable.map((part) => t.parts[part]).join(', ')}
        </Alert>
      )}
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Copied label={t.identifier} value={user.identifier} />
        {user.primary_key !== null && <Copied label={t.primary_key} value={user.primary_key} />}
      </SimpleGrid>
      <Group gap="xl">
        <Fact says={common.created} value={<Moment at={user.created_at} />} />
        <Fact says={t.mapped_at} value={<Moment at={user.mapped_at} />} />
        <Fact says={t.last_login} value={<Moment at={user.last_logged_in_at} />} />
        <Fact says={t.logins} value={format.number(user.login_count)} />
        {detail.friendship_status !== null && (
          <Fact says={t.friend} value={detail.friendship_status ? common.yes : common.no} />
        )}
        <Fact says={t.storage} value={detail.profile_prohibited ? t.prohibited : t.permitted} />
      </Group>
      <Section title={t.links}>
        <Rows
          label={t.links}
          rows={links}
          name={({ provider }) => provider}
          empty={t.no_links}
          columns={[
            { title: t.provider, cell: ({ provider }) => common.providers[provider] },
            {
              title: t.provider_user_id,
              cell: ({ provider_user_id }) => (
                <Text span ff="monospace" size="sm">
                  {provider_user_id}
                </Text>
              ),
            },
            { title: t.linked_at, cell: ({ created_at }) => <Moment at={created_at} /> },
            {
              title: null,
              number: true,
              cell: ({ provider }) => <Unlink name={name} provider={provider} last={links.length === 1} />,
            },
          ]}
        />
      </Section>
      <Section title={t.profile} about={t.profile_about}>
        {unavailable.includes('profile') ? <NotNow /> : <ProfileTable detail={detail} />}
      </Section>
      <Section title={t.credentials} about={t.credentials_about}>
        {unavailable.includes('credentials') ? <NotNow /> : <Credentials states={credentials} />}
      </Section>
      <Section title={t.history}>
        <Rows
          label={t.history}
          rows={logins}
          name={({ logged_in_at, provider }) => `${logged_in_at} ${provider}`}
          empty={t.no_logins}
          columns={[
            { title: t.at, cell: ({ logged_in_at }) => <Moment at={logged_in_at} /> },
            { title: t.provider, cell: ({ provider }) => common.providers[provider] },
          ]}
        />
      </Section>
      <Section title={t.actions}>
        <Group>
          <Merge name={name} />
          <DeleteData name={name} />
          <DeleteUser name={name} />
        </Group>
      </Section>
    </>
  )
}

/** A part whose service is away: that it is not there now says nothing of what is kept. */
function NotNow() {
  const { users: t } = useTexts()
  return <Text c="dimmed">{t.not_now}</Text>
}

function Fact({ says, value }: { says: string; value: React.ReactNode }) {
  return (
    <div>
      <Text size="sm" c="dimmed">
        {says}
      </Text>
      <Text component="div">{value}</Text>
    </div>
  )
}
