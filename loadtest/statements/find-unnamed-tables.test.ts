import { expect, test } from 'vitest'
import { findUnnamedTables } from './find-unnamed-tables.ts'

const tables = ['links', 'users', 'profiles']
const find = (statement: string) => findUnnamedTables(statement, (table) => tables.includes(table))

test.each([
  'select identifier from users where site = $1 and identifier = $2',
  'select * from "users" where "site" = $1 and "identifier" in ($2, $3)',
  'select * from users u join links l using (site, identifier) where u.site = $1',
  'select * from users u join links l on l.site = u.site and l.identifier = u.identifier where u.site = 1',
  'select * from users where (site, identifier) in (select site, identifier from links where site = $1)',
  'select * from users u where u.site = $1 and exists (select from links l where l.site = u.site)',
  'select array(select provider from links where links.site = users.site) from users where site = $1',
  'insert into links (site, link_id) select $1, id from unnest($2::uuid[]) as id on conflict (site, link_id) do nothing',
  'update users set login_count = 1 where site = $1 returning identifier',
  'delete from links using users where users.site = links.site and links.site = $1',
  'with moved as (delete from links where site = $1 returning link_id) select * from moved',
  'select * from (select site, identifier from links where site = $1) as of_site join users using (site, identifier)',
  'select 1 from users where site = $1 union all select 2 from links where site = $1',
  'select * from jobs where key = $1',
  'begin',
])('names the site: %s', async (statement) => {
  expect(await find(statement)).toEqual([])
})

test.each([
  ['users', 'select identifier from users where identifier = $1'],
  ['users', 'select site from users'],
  ['users', 'select * from users where site = $1 or identifier = $2'],
  ['users', 'select * from users where not (site = $1)'],
  ['users', 'select * from users where site > $1'],
  ['links', 'select * from users u join links l on l.identifier = u.identifier where u.site = $1'],
  ['users links', 'select * from users u join links l using (site, identifier) where u.identifier = $1'],
  ['users links', 'select * from users u join links l on l.site = u.site'],
  ['links', 'select * from users where site = $1 and identifier in (select identifier from links)'],
  ['links', 'insert into links (link_id) values ($1)'],
  ['users', 'insert into links (site, identifier) select $1, identifier from users'],
  ['users', 'update users set site = $1 where identifier = $2'],
  ['links', 'delete from links where link_id = any($1)'],
  ['links', 'with moved as (delete from links where link_id = $1 returning site) select * from moved'],
  ['links', 'select 1 from users where site = $1 union all select 2 from links'],
])('does not name the site of %s: %s', async (unnamed, statement) => {
  expect((await find(statement)).join(' ')).toBe(unnamed)
})
