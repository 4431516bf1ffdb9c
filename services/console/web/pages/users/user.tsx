import { Alert, Anchor, Button, Group, SimpleGrid, Text } from '@mantine/core'
import { Link } from 'wouter'
import { useHasRole } from '../../admin/permissions.ts'
import { useRead } from '../../admin/queries.ts'
import type { SiteReference, UserDetail } from '../../admin/types.ts'
import { CopyableValue } from '../../parts/copyable-value.tsx'
import { DateTime } from '../../parts/date-time.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { useNameProvider } from '../../parts/site-providers.ts'
import { DataTable } from '../../parts/table/data-table.tsx'
import { paths } from '../../shell/paths.ts'
import { useFormat } from '../../texts/format.ts'
import { useTexts } from '../../texts/index.tsx'
import { UserActivity } from './activity.tsx'
import { UserApplications } from './applications.tsx'
import { BlockNotice, BlockUser } from './block-user.tsx'
import { UserConsents } from './consents.tsx'
import { CredentialTable } from './credential-table.tsx'
import { DeletionNotice } from './deletion-notice.tsx'
import { MergeUsers } from './merge-users.tsx'
import { UserMetadata } from './metadata.tsx'
import { ProfileTable } from './profile-table.tsx'
import { DeleteProfile, DeleteUser, UnlinkProvider } from './user-actions.tsx'

/** All data of a user, without token values. */
export function UserPage({ site, identifier }: { site: SiteReference; identifier: string }) {
  const { users: t } = useTexts('users')
  const query = useRead('readUser', { ...site, identifier }, { personal: true })
  const user = query.data?.user
  return (
    <Page title={user === undefined ? t.one : t.named({ name: user.primary_key ?? shorten(user.identifier) })}>
      <Loaded of={query}>{(detail) => <UserDetails site={site} detail={detail} />}</Loaded>
    </Page>
  )
}

function shorten(identifier: string): string {
  return `${identifier.slice(0, 16)}…`
}

function UserDetails({ site, detail }: { site: SiteReference; detail: UserDetail }) {
  const { users: t, held_data, common } = useTexts('users', 'held_data')
  const canReadHeldData = useHasRole(site)('editor')
  const nameProvider = useNameProvider()
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
      {user.block !== undefined && <BlockNotice name={name} block={user.block} />}
      {detail.deletion !== null && <DeletionNotice name={name} deletion={detail.deletion} />}
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <CopyableValue label={t.identifier} value={user.identifier} />
        {user.primary_key !== null && <CopyableValue label={t.primary_key} value={user.primary_key} />}
      </SimpleGrid>
      <Group gap="xl">
        <Fact says={common.created} value={<DateTime at={user.created_at} />} />
        <Fact says={t.mapped_at} value={<DateTime at={user.mapped_at} />} />
        <Fact says={t.last_login} value={<DateTime at={user.last_logged_in_at} />} />
        <Fact says={t.logins} value={format.number(user.login_count)} />
        {detail.friendship_status !== null && (
          <Fact says={t.friend} value={detail.friendship_status ? common.yes : common.no} />
        )}
        <Fact says={t.storage} value={detail.profile_prohibited ? t.prohibited : t.permitted} />
      </Group>
      <Section title={t.links}>
        <DataTable
          label={t.links}
          rows={links}
          name={({ provider }) => provider}
          empty={t.no_links}
          columns={[
            { title: t.provider, cell: ({ provider }) => nameProvider(provider) },
            {
              title: t.provider_user_id,
              cell: ({ provider_user_id }) => (
                <Text span ff="monospace" size="sm">
                  {provider_user_id}
                </Text>
              ),
            },
            { title: t.linked_at, time: ({ created_at }) => created_at },
            {
              title: null,
              number: true,
              cell: ({ provider }) => <UnlinkProvider name={name} provider={provider} last={links.length === 1} />,
            },
          ]}
        />
      </Section>
      <Section title={t.profile} about={t.profile_about}>
        {unavailable.includes('profile') ? <Unavailable /> : <ProfileTable detail={detail} />}
      </Section>
      <UserApplications name={name} />
      <UserConsents name={name} />
      <UserMetadata name={name} />
      <Section title={t.credentials} about={t.credentials_about}>
        {unavailable.includes('credentials') ? <Unavailable /> : <CredentialTable states={credentials} />}
      </Section>
      <Section
        title={t.history}
        actions={
          <Anchor component={Link} href={paths.logins(site, { identifier: user.identifier })} size="sm">
            {t.log}
          </Anchor>
        }
      >
        <DataTable
          label={t.history}
          rows={logins}
          name={({ logged_in_at, provider }) => `${logged_in_at} ${provider}`}
          empty={t.no_logins}
          columns={[
            { title: t.at, time: ({ logged_in_at }) => logged_in_at },
            { title: t.provider, cell: ({ provider }) => nameProvider(provider) },
          ]}
        />
      </Section>
      <UserActivity name={name} />
      <Section title={t.actions}>
        <Group>
          {canReadHeldData && (
            <Button component={Link} href={paths.heldData(site, user.identifier)} variant="default">
              {held_data.open}
            </Button>
          )}
          <MergeUsers name={name} />
          <BlockUser name={name} block={user.block} />
          <DeleteProfile name={name} />
          <DeleteUser name={name} />
        </Group>
      </Section>
    </>
  )
}

/** Replaces a part whose service is unavailable. */
function Unavailable() {
  const { users: t } = useTexts('users')
  return <Text c="dimmed">{t.unavailable_part}</Text>
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
