import { Center, Loader } from '@mantine/core'
import { type ComponentType, lazy, type ReactNode } from 'react'
import { Redirect, Route, Switch, useParams } from 'wouter'
import { useRead } from '../admin/queries.ts'
import type { SiteName } from '../admin/types.ts'
import { Failure } from '../parts/failure.tsx'
import { Shell } from '../shell/shell.tsx'
import { Accounts } from './accounts.tsx'
import { NotHere } from './not-here.tsx'
import { SignIn } from './sign-in/sign-in.tsx'
import { SignInAgain } from './sign-in/sign-in-again.tsx'
import { SignInFrame } from './sign-in/sign-in-frame.tsx'
import { SignInLink } from './sign-in/sign-in-link.tsx'
import { Sites } from './sites.tsx'

type SitePage = { site: SiteName }
type AccountPage = { account: string }

const Me = lazy(async () => ({ default: (await import('./me.tsx')).Me }))
const Operators = lazy(async () => ({ default: (await import('./operators.tsx')).Operators }))
const Audit = lazy(async () => ({ default: (await import('./audit/audit.tsx')).Audit }))
const Health = lazy(async () => ({ default: (await import('./health.tsx')).Health }))

const accountPages: Record<string, ComponentType<AccountPage>> = {
  members: lazy(async () => ({ default: (await import('./members/members.tsx')).Members })),
  tokens: lazy(async () => ({ default: (await import('./members/tokens.tsx')).Tokens })),
  audit: Audit,
}

const sitePages: Record<string, ComponentType<SitePage>> = {
  '': lazy(async () => ({ default: (await import('./overview/overview.tsx')).Overview })),
  settings: lazy(async () => ({ default: (await import('./settings/settings.tsx')).Settings })),
  keys: lazy(async () => ({ default: (await import('./keys/keys.tsx')).Keys })),
  addresses: lazy(async () => ({ default: (await import('./addresses/addresses.tsx')).Addresses })),
  clients: lazy(async () => ({ default: (await import('./clients/clients.tsx')).Clients })),
  providers: lazy(async () => ({ default: (await import('./providers/providers.tsx')).Providers })),
  users: lazy(async () => ({ default: (await import('./users/users.tsx')).Users })),
  exports: lazy(async () => ({ default: (await import('./exports/exports.tsx')).Exports })),
  insight: lazy(async () => ({ default: (await import('./insight/insight.tsx')).Insight })),
}

const ClientPage = lazy(async () => ({ default: (await import('./clients/client.tsx')).ClientPage }))
const ProviderPage = lazy(async () => ({ default: (await import('./providers/provider.tsx')).ProviderPage }))
const UserPage = lazy(async () => ({ default: (await import('./users/user.tsx')).UserPage }))

/** Every page by its address. Without a session each of them is the page to sign in with. */
export function Pages() {
  return (
    <Switch>
      <Route path="/sign-in">
        <SignInLink />
      </Route>
      <Route>
        <SignedIn>
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
              <Route path="/accounts" component={Accounts} />
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
              <Route path="/accounts/:account/sites/:site_id/users/:identifier">
                {({ account, site_id, identifier }) => (
                  <UserPage key={identifier} site={{ account, site_id }} identifier={decodeURIComponent(identifier)} />
                )}
              </Route>
              <Route path="/accounts/:account/sites/:site_id/:page?" component={OfSite} />
              <Route path="/accounts/:account/:page?" component={OfAccount} />
              <Route component={NotHere} />
            </Switch>
          </Shell>
        </SignedIn>
      </Route>
    </Switch>
  )
}

function OfSite() {
  const { account = '', site_id = '', page = '' } = useParams()
  const Page = sitePages[page]
  return Page ? <Page key={`${account}/${site_id}`} site={{ account, site_id }} /> : <NotHere />
}

function OfAccount() {
  const { account = '', page } = useParams()
  const Page = page === undefined ? Sites : accountPages[page]
  return Page ? <Page key={account} account={account} /> : <NotHere />
}

function SignedIn({ children }: { children: ReactNode }) {
  const me = useRead('readMe', {})
  const ended = me.error?.fault === 'not_signed_in'
  if (me.data) {
    return (
      <>
        {children}
        {ended && <SignInAgain member_id={me.data.member.member_id} />}
      </>
    )
  }
  if (ended) return <SignIn />
  if (me.error) {
    return (
      <SignInFrame>
        <Failure fault={me.error} again={() => me.refetch()} />
      </SignInFrame>
    )
  }
  return (
    <Center mih="100dvh" aria-busy="true">
      <Loader />
    </Center>
  )
}
