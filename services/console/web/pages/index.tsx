import { Center, Container, Loader } from '@mantine/core'
import { type ComponentType, lazy, type ReactNode, useEffect } from 'react'
import { Redirect, Route, Switch, useParams } from 'wouter'
import type { RequestFault } from '../admin/fault.ts'
import { useRead } from '../admin/queries.ts'
import { signOut } from '../admin/sign-in.ts'
import type { SiteReference } from '../admin/types.ts'
import { useAction } from '../admin/use-action.ts'
import { FaultAlert } from '../parts/fault-alert.tsx'
import type { AccountSection, SiteSection } from '../shell/page-list.ts'
import { Shell } from '../shell/shell.tsx'
import { AccountsPage } from './accounts.tsx'
import { NotFoundPage } from './not-found.tsx'
import { SignInAgainDialog } from './sign-in-again-dialog.tsx'

type SitePage = { site: SiteReference }
type AccountPage = { account: string }

const Me = lazy(async () => ({ default: (await import('./me.tsx')).MePage }))
const Operators = lazy(async () => ({ default: (await import('./operators.tsx')).OperatorsPage }))
const Audit = lazy(async () => ({ default: (await import('./audit/audit.tsx')).AuditPage }))
const AuditStreams = lazy(async () => ({ default: (await import('./audit-streams/streams.tsx')).AuditStreamsPage }))
const Health = lazy(async () => ({ default: (await import('./health.tsx')).HealthPage }))

const accountPages: Record<AccountSection, ComponentType<AccountPage>> = {
  '': lazy(async () => ({ default: (await import('./sites.tsx')).SitesPage })),
  members: lazy(async () => ({ default: (await import('./members/members.tsx')).MembersPage })),
  notices: lazy(async () => ({ default: (await import('./notices/notices.tsx')).NoticesPage })),
  'sign-in': lazy(async () => ({ default: (await import('./member-sign-in/member-sign-in.tsx')).MemberSignInPage })),
  tokens: lazy(async () => ({ default: (await import('./members/tokens.tsx')).TokensPage })),
  audit: Audit,
  'audit-streams': AuditStreams,
}

const sitePages: Record<SiteSection, ComponentType<SitePage>> = {
  '': lazy(async () => ({ default: (await import('./overview/overview.tsx')).OverviewPage })),
  settings: lazy(async () => ({ default: (await import('./settings/settings.tsx')).SettingsPage })),
  keys: lazy(async () => ({ default: (await import('./keys/keys.tsx')).KeysPage })),
  addresses: lazy(async () => ({ default: (await import('./addresses/addresses.tsx')).AddressesPage })),
  clients: lazy(async () => ({ default: (await import('./clients/clients.tsx')).ClientsPage })),
  providers: lazy(async () => ({ default: (await import('./providers/providers.tsx')).ProvidersPage })),
  users: lazy(async () => ({ default: (await import('./users/users.tsx')).UsersPage })),
  'bulk-changes': lazy(async () => ({ default: (await import('./bulk-changes/bulk-changes.tsx')).BulkChangesPage })),
  erasures: lazy(async () => ({ default: (await import('./erasures/erasures.tsx')).ErasuresPage })),
  exports: lazy(async () => ({ default: (await import('./exports/exports.tsx')).ExportsPage })),
  imports: lazy(async () => ({ default: (await import('./imports/imports.tsx')).ImportsPage })),
  webhooks: lazy(async () => ({ default: (await import('./webhooks/webhooks.tsx')).WebhooksPage })),
  hosts: lazy(async () => ({ default: (await import('./hosts/hosts.tsx')).HostsPage })),
  look: lazy(async () => ({ default: (await import('./look/look.tsx')).LookPage })),
  'account-page': lazy(async () => ({ default: (await import('./account-page/account-page.tsx')).AccountPagePage })),
  terms: lazy(async () => ({ default: (await import('./terms/terms.tsx')).TermsPage })),
  audit: lazy(async () => ({ default: (await import('./audit/audit.tsx')).SiteAuditPage })),
  logins: lazy(async () => ({ default: (await import('./logins/logins.tsx')).LoginsPage })),
  usage: lazy(async () => ({ default: (await import('./usage/usage.tsx')).UsagePage })),
}

const ClientPage = lazy(async () => ({ default: (await import('./clients/client.tsx')).ClientPage }))
const LoginPage = lazy(async () => ({ default: (await import('./logins/login.tsx')).LoginPage }))
const ProviderPage = lazy(async () => ({ default: (await import('./providers/provider.tsx')).ProviderPage }))
const UserPage = lazy(async () => ({ default: (await import('./users/user.tsx')).UserPage }))

const HeldDataPage = lazy(async () => ({ default: (await import('./users/held-data.tsx')).HeldDataPage }))

const ErasurePage = lazy(async () => ({ default: (await import('./erasures/erasure.tsx')).ErasurePage }))

const NoticeChannelPage = lazy(async () => ({ default: (await import('./notices/channel.tsx')).NoticeChannelPage }))
const WebhookPage = lazy(async () => ({ default: (await import('./webhooks/webhook.tsx')).WebhookPage }))

/** The pages by path. Pages before sign-in are another document (`sign-in/`). */
export function Pages() {
  return (
    <RequireSession>
      <Shell>
        <Switch>
          <Route path="/">
            <Redirect to="/accounts" replace />
          </Route>
          <Route path="/me" component={Me} />
          <Route path="/health" component={Health} />
          <Route path="/operators" component={Operators} />
          <Route path="/audit">
            <Audit />
          </Route>
          <Route path="/audit-streams/:stream_id?">
            {({ stream_id }) => <AuditStreams key={stream_id} stream_id={stream_id} />}
          </Route>
          <Route path="/accounts" component={AccountsPage} />
          <Route path="/accounts/:account/audit-streams/:stream_id">
            {({ account, stream_id }) => <AuditStreams key={stream_id} account={account} stream_id={stream_id} />}
          </Route>
          <Route path="/accounts/:account/sites/:site_id/clients/:client_id">
            {({ account, site_id, client_id }) => (
              <ClientPage key={client_id} site={{ account, site_id }} client_id={decodeURIComponent(client_id)} />
            )}
          </Route>
          <Route path="/accounts/:account/sites/:site_id/providers/:provider">
            {({ account, site_id, provider }) => (
              <ProviderPage key={provider} site={{ account, site_id }} provider={provider} />
            )}
          </Route>
          <Route path="/accounts/:account/sites/:site_id/logins/:login_id">
            {({ account, site_id, login_id }) => (
              <LoginPage key={login_id} site={{ account, site_id }} login_id={login_id} />
            )}
          </Route>
          <Route path="/accounts/:account/sites/:site_id/users/:identifier">
            {({ account, site_id, identifier }) => (
              <UserPage key={identifier} site={{ account, site_id }} identifier={decodeURIComponent(identifier)} />
            )}
          </Route>
          <Route path="/accounts/:account/sites/:site_id/users/:identifier/held-data">
            {({ account, site_id, identifier }) => (
              <HeldDataPage key={identifier} site={{ account, site_id }} identifier={decodeURIComponent(identifier)} />
            )}
          </Route>
          <Route path="/accounts/:account/sites/:site_id/erasures/:identifier">
            {({ account, site_id, identifier }) => (
              <ErasurePage key={identifier} site={{ account, site_id }} identifier={decodeURIComponent(identifier)} />
            )}
          </Route>
          <Route path="/accounts/:account/sites/:site_id/webhooks/:endpoint_id">
            {({ account, site_id, endpoint_id }) => (
              <WebhookPage key={endpoint_id} site={{ account, site_id }} endpoint_id={endpoint_id} />
            )}
          </Route>
          <Route path="/accounts/:account/notices/:channel_id">
            {({ account, channel_id }) => (
              <NoticeChannelPage key={channel_id} account={account} channel_id={channel_id} />
            )}
          </Route>
          <Route path="/accounts/:account/sites/:site_id/:page?" component={SiteRoute} />
          <Route path="/accounts/:account/:page?" component={AccountRoute} />
          <Route component={NotFoundPage} />
        </Switch>
      </Shell>
    </RequireSession>
  )
}

function SiteRoute() {
  const { account = '', site_id = '', page = '' } = useParams()
  const Page = findComponent(sitePages, page)
  return Page ? <Page key={`${account}/${site_id}`} site={{ account, site_id }} /> : <NotFoundPage />
}

function AccountRoute() {
  const { account = '', page = '' } = useParams()
  const Page = findComponent(accountPages, page)
  return Page ? <Page key={account} account={account} /> : <NotFoundPage />
}

/** The page of a section; undefined for unknown sections. */
function findComponent<P>(pages: Readonly<Record<string, ComponentType<P>>>, section: string) {
  return Object.hasOwn(pages, section) ? pages[section] : undefined
}

function RequireSession({ children }: { children: ReactNode }) {
  const me = useRead('readMe', {})
  const isSessionEnded = me.error?.fault === 'not_signed_in'
  if (me.data) {
    return (
      <>
        {children}
        {isSessionEnded && <SignInAgainDialog member_id={me.data.member.member_id} />}
      </>
    )
  }
  if (isSessionEnded) return <LoadSignIn />
  if (me.error) return <BlockingFault fault={me.error} retry={() => me.refetch()} />
  return <BlockingLoader />
}

/** Removes the cookie of the ended session, and loads the page again: the service then answers with the sign-in page. */
function LoadSignIn() {
  const { run, fault } = useAction(async () => {
    await signOut()
    location.reload()
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once
  useEffect(() => run(), [])
  return fault ? <BlockingFault fault={fault} retry={() => run()} /> : <BlockingLoader />
}

function BlockingFault({ fault, retry }: { fault: RequestFault; retry: () => void }) {
  return (
    <Container component="main" size="xs" py="xl">
      <FaultAlert fault={fault} retry={retry} />
    </Container>
  )
}

function BlockingLoader() {
  return (
    <Center mih="100dvh" aria-busy="true">
      <Loader />
    </Center>
  )
}
