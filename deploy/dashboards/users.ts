import { type DashboardDefinition, type Panel, quantile, rate, selectOwn } from './dashboard.ts'

const served = 'sociallogin_rpc_server_duration_seconds'

function answered(service: string): Panel[] {
  const here = `rpc_service="${service}"`
  return [
    {
      title: `${service}: answered`,
      description: 'Calls a second by procedure.',
      unit: 'reqps',
      queries: { '{{rpc_method}}': `sum by (rpc_method) (${rate(`${served}_count`, `${here},outcome="ok"`)})` },
    },
    {
      title: `${service}: rejected and failed`,
      description: 'app_error: an expected error of the caller. unavailable and defect: errors of the service.',
      unit: 'reqps',
      queries: {
        '{{rpc_method}} {{outcome}}': `sum by (rpc_method, outcome) (${rate(`${served}_count`, `${here},outcome!="ok"`)})`,
      },
    },
    {
      title: `${service}: p95`,
      description: '95 % of the calls are answered faster.',
      unit: 's',
      min: 0,
      queries: { '{{rpc_method}}': quantile(0.95, served, { by: 'rpc_method', labels: here }) },
    },
  ]
}

export const usersDashboard: DashboardDefinition = {
  name: 'users',
  title: 'Identity, profile and friendship',
  description: 'Users and their changes: rate and duration of each procedure.',
  rows: [
    {
      title: 'Users',
      panels: [
        {
          title: 'Users of all sites',
          description: 'Users in all sites, counted in the database.',
          unit: 'short',
          min: 0,
          queries: { users: `sum(max by (namespace, release) (${selectOwn('sociallogin_users')}))` },
        },
        {
          title: 'Changes',
          description: 'Created, merged, deleted, mapped, unmapped, linked, unlinked.',
          unit: 'reqps',
          as: 'stacked',
          queries: {
            '{{rpc_method}}': `sum by (rpc_method) (${rate(`${served}_count`, 'rpc_service="identity",outcome="ok",rpc_method=~"createUser|recordLogin|mergeUsers|deleteUser|mapPrimaryKey|unmapPrimaryKey|linkAccount|unlinkProviders"')})`,
          },
        },
      ],
    },
    { title: 'Identity', panels: answered('identity') },
    { title: 'Profile', panels: answered('profile') },
    { title: 'Friendship', panels: answered('friendship') },
  ],
}
