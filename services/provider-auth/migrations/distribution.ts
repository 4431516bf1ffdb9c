import { type Distribution, siteCopyGlobalTables } from '#database'

const settings =
  'Settings: every replica keeps them in memory, and looks them up by names in URLs, before the site is known.'

export const providerAuthDistribution: Distribution = {
  service: 'provider-auth',
  globalTables: {
    ...siteCopyGlobalTables,
    event_relay: 'Its row says which replica sends the events of all sites.',
    jobs: 'Workers take the jobs of all sites in the order of their times.',
    signing_keys: 'Belong to the deployment.',
    site_deletions: 'Look-ups of settings exclude those of closed sites. Its trigger ends their use in memory.',
    clients: settings,
    client_secrets: settings,
    redirect_uris: settings,
    provider_settings: settings,
    login_provider_identifiers: settings,
    settings_revision: settings,
    site_hosts: settings,
    shared_hosts: settings,
    hosts_revision: settings,
    site_looks: settings,
    site_look_versions: settings,
    site_pictures: settings,
    account_pages: settings,
    site_terms: settings,
  },
}
