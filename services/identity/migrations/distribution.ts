import { type Distribution, siteCopyGlobalTables } from '#database'
import { countUsersInStatements } from './0014-counts-in-statements.ts'

export const identityDistribution: Distribution = {
  service: 'identity',
  globalTables: {
    ...siteCopyGlobalTables,
    accounts: 'Registry: accounts own sites. Changes in the console only.',
    sites: 'Registry: gateways replicate it in the order of revisions, and pages look sites up by account and name.',
    closed_sites: 'Registry: names that are never used again, which gateways replicate with the sites.',
    site_revisions: 'Registry: its row orders the changes of all sites.',
    api_keys:
      'Registry: gateways replicate it with the sites, and look keys up by their hash, before the site is known.',
    jobs: 'Workers take the jobs of all sites in the order of their times.',
    event_relay: 'Its row says which replica sends the events of all sites.',
  },
  prepare: countUsersInStatements,
}
