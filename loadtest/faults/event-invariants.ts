import type { Invariant } from './invariant.ts'

/** The state of users as the stream says it: what a customer's copy has. */
const copies = `
  copies as (
    select distinct on (site, identifier) site, identifier, primary_key, type from events
    where type like 'user.%' order by site, identifier, sequence desc
  ), removed as (
    select site, merged_identifier as identifier from events where merged_identifier is not null
    union select site, identifier from copies where type = 'user.deleted'
  )`

/** What must hold for the stream of events: no gap, no duplicate, and the state of identity as its sum. */
export const eventInvariants: readonly Invariant[] = [
  {
    database: 'events',
    name: 'the events of a site are numbered without gaps',
    query: `
      select site, last_sequence, n, newest from sites
      left join (select site, count(*) as n, max(sequence) as newest from events group by site) as e using (site)
      where (last_sequence, last_sequence) <> (coalesce(n, 0), coalesce(newest, 0))`,
  },
  {
    database: 'events',
    name: 'the events of a user are numbered without gaps',
    query: `
      select site, identifier, last_sequence, n, newest from users
      left join (
        select site, identifier, count(*) as n, count(distinct user_sequence) as different, max(user_sequence) as newest
        from events group by 1, 2
      ) as e using (site, identifier)
      where (last_sequence, last_sequence, last_sequence) <> (coalesce(n, 0), coalesce(different, 0), coalesce(newest, 0))`,
  },
  {
    database: 'events',
    name: 'a copy made of the events has the users of identity',
    query: `, ${copies}, kept as (
        select c.* from copies c where not exists (
          select from removed r where (r.site, r.identifier) = (c.site, c.identifier)
        )
      )
      select site, identifier, kept.primary_key, k.primary_key as stored
      from kept full join known_users k using (site, identifier)
      where kept.identifier is null or k.identifier is null or kept.primary_key is distinct from k.primary_key`,
  },
  {
    database: 'events',
    name: 'the events of existing users have no personal data missing, those of others have none',
    query: `, ${copies}
      select e.site, e.sequence, e.type, e.data is null as erased from events e
      where (e.data is null) <> (
        exists (select from removed r where (r.site, r.identifier) = (e.site, e.identifier))
        and e.type <> 'user.deleted'
      )`,
  },
  {
    database: 'events',
    name: 'each login of a user is one event',
    query: `
      select k.site, k.identifier, login_count, n from known_users k
      left join (
        select site, identifier, count(*) filter (where type = 'user.logged_in') as n,
          bool_or(type = 'user.merged' or data ->> 'created_by' = 'import') as is_other
        from events group by 1, 2
      ) as e using (site, identifier)
      where not is_other and login_count <> n`,
  },
  {
    database: 'events',
    name: 'the links of a user are the sum of its events',
    query: `, changes as (
        select site, identifier, data ->> 'provider' as provider, case type when 'user.linked' then 1 else -1 end as change
        from events where type in ('user.linked', 'user.unlinked') and data is not null
        union all
        select site, identifier, given, 1 from events, jsonb_array_elements_text(data -> 'providers') as given
        where type = 'user.created' and data is not null
        union all
        select site, identifier, moved, 1 from events, jsonb_array_elements_text(data -> 'moved_providers') as moved
        where type = 'user.merged' and data is not null
      ), sums as (
        select site, identifier, provider, sum(change) as n from changes
        where exists (select from known_users k where (k.site, k.identifier) = (changes.site, changes.identifier))
        group by 1, 2, 3
      ), stored as (
        select site, identifier, provider, count(*) as n from known_links group by 1, 2, 3
      )
      select site, identifier, provider, sums.n, stored.n as stored
      from sums full join stored using (site, identifier, provider) where coalesce(sums.n, 0) <> coalesce(stored.n, 0)`,
  },
]
