import { Anchor, Badge, Code, Group, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { LoginDetails, SiteReference } from '../../admin/types.ts'
import { type Fact, FactTable } from '../../parts/fact-table.tsx'
import { useNameProvider } from '../../parts/site-providers.ts'
import { paths } from '../../shell/paths.ts'
import { useTexts } from '../../texts/index.tsx'
import { useNameClient } from './client-name.tsx'

/** What is known about a login; what is not known is left out. */
export function LoginFacts({ site, login }: { site: SiteReference; login: LoginDetails }) {
  const { logins: t } = useTexts('logins')
  const nameProvider = useNameProvider()
  const { provider, identifier, browser, country, rejection } = login
  const facts: readonly Fact[] = [
    [t.kind, t.kinds[login.kind]],
    [t.provider, provider && nameProvider(provider)],
    [t.client, login.client_id && <ClientValue site={site} clientId={login.client_id} />],
    [t.user, identifier && <UserLink site={site} identifier={identifier} isNew={login.is_new_user === true} />],
    [t.error, code(login.error)],
    [t.description, rejection?.error_description],
    [t.received, code(rejection?.redirect_uri)],
    [t.registered, rejection?.redirect_uri && <RegisteredUris uris={rejection.registered_redirect_uris} />],
    [t.browser, browser && t.browsers[browser]],
    [t.country, country],
    [t.login_id, code(login.login_id)],
    [t.started_by, code(login.started_by)],
    [t.ended_by, code(login.ended_by)],
  ]
  return <FactTable facts={facts} label={t.details} />
}

function code(text: string | null | undefined): ReactNode {
  return text && <Code>{text}</Code>
}

/** The client with its name, if the site has it. */
function ClientValue({ site, clientId }: { site: SiteReference; clientId: string }) {
  const name = useNameClient(site)(clientId)
  if (name === clientId) return <Code>{clientId}</Code>
  return (
    <Anchor component={Link} href={paths.client(site, clientId)} size="sm" title={clientId}>
      {name}
    </Anchor>
  )
}

function UserLink({ site, identifier, isNew }: { site: SiteReference; identifier: string; isNew: boolean }) {
  const { logins: t } = useTexts('logins')
  return (
    <Group gap="xs">
      <Anchor component={Link} href={paths.user(site, identifier)} ff="monospace" size="sm">
        {identifier}
      </Anchor>
      {isNew && <Badge variant="light">{t.new_user}</Badge>}
    </Group>
  )
}

function RegisteredUris({ uris }: { uris: readonly string[] }) {
  const { logins: t } = useTexts('logins')
  return (
    <Stack gap={4} align="flex-start">
      {uris.length === 0 ? t.none_registered : uris.map((uri) => <Code key={uri}>{uri}</Code>)}
    </Stack>
  )
}
