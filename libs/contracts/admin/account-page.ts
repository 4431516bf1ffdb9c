import { accountPageSettings, SiteAccountPage } from '../objects/account-page.ts'
import { adminProcedures } from './procedure.ts'
import { SiteReference } from './sites.ts'

export { SiteAccountPage } from '../objects/account-page.ts'

export const adminAccountPageProcedures = adminProcedures({
  readAccountPage: {
    method: 'GET',
    path: '/accounts/{account}/sites/{site_id}/account-page',
    summary: 'Whether end users have a page for their accounts, and where it is',
    role: 'viewer',
    versioned: true,
    servedBy: 'provider_auth',
    input: SiteReference,
    output: SiteAccountPage,
  },
  changeAccountPage: {
    method: 'PUT',
    path: '/accounts/{account}/sites/{site_id}/account-page',
    summary: 'Turn the account page of end users on or off',
    role: 'editor',
    versioned: true,
    servedBy: 'provider_auth',
    reader: 'readAccountPage',
    audited: ['enabled', 'deletion_waiting_days'],
    form: 'account_page',
    help: { enabled: 'whether end users of the site have an account page' },
    input: SiteReference.extend(accountPageSettings),
    output: SiteAccountPage,
  },
})
