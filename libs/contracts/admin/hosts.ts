import { z } from 'zod'
import { limits } from '../limits.ts'
import { HostName, HostPurpose, SiteHosts } from '../objects/site-host.ts'
import { adminProcedures } from './procedure.ts'
import { SiteReference } from './sites.ts'

export { HostName, HostPurpose, SiteHosts } from '../objects/site-host.ts'

const HostReference = SiteReference.extend({ host: HostName })
const belongsToAnother = 'Another site has this host, one of its parents, or one below it.'

export const adminHostProcedures = adminProcedures({
  readSiteHosts: {
    method: 'GET',
    path: '/accounts/{account}/sites/{site_id}/hosts',
    summary: 'Hosts of a site, what proves them, and which clients use which',
    role: 'viewer',
    versioned: true,
    servedBy: 'provider_auth',
    input: SiteReference,
    output: SiteHosts,
  },
  addHost: {
    method: 'POST',
    path: '/accounts/{account}/sites/{site_id}/hosts',
    summary: 'Claim a host for a site. It is served once a TXT record or a file proves that it is yours',
    role: 'owner',
    sensitive: true,
    form: 'host',
    input: HostReference.extend({ purpose: HostPurpose.default('login') }),
    output: SiteHosts,
    faults: {
      invalid_request: `The host belongs to the installation, or the site has ${limits.site_hosts} hosts.`,
      conflict: belongsToAnother,
    },
  },
  checkHost: {
    method: 'POST',
    path: '/accounts/{account}/sites/{site_id}/hosts/{host}/checks',
    summary: 'Look for the proof of a host now',
    role: 'editor',
    input: HostReference,
    output: SiteHosts,
    faults: { conflict: belongsToAnother },
  },
  removeHost: {
    method: 'DELETE',
    path: '/accounts/{account}/sites/{site_id}/hosts/{host}',
    summary: 'Remove a host. Its requests are rejected from then on',
    role: 'owner',
    sensitive: true,
    input: HostReference,
    output: SiteHosts,
    faults: { invalid_request: 'It is the only login host of the site.' },
  },
  changeSharedHost: {
    method: 'PATCH',
    path: '/accounts/{account}/sites/{site_id}/hosts',
    summary: 'Set whether the site is also served on the host of the installation',
    role: 'owner',
    sensitive: true,
    versioned: true,
    input: SiteReference.extend({ shared_host: z.boolean() }),
    output: SiteHosts,
    faults: { invalid_request: 'The site has no other login host that is active.' },
  },
})
