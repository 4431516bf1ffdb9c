-- A service's database with its two roles: the owner, by which migrations run, and one that reads and writes rows. Run once for each of
-- identity, profile, provider_auth, friendship, events and console, by a role that may create roles and databases:
--   psql postgres://admin@postgres/postgres --set name=identity --set password=… --set owner_password=… --file postgres-databases.sql
\set ON_ERROR_STOP on
\set owner :name _owner
create role :"owner" login password :'owner_password';
create role :"name" login password :'password';
-- The time limits of the services' sessions, for poolers that do not pass them on (docs/operate/high-availability.md#pgbouncer).
alter role :"name" set statement_timeout = 5000;
alter role :"name" set lock_timeout = 3000;
alter role :"name" set idle_in_transaction_session_timeout = 10000;
-- Who is no superuser makes a database for another role, and acts for it, as its member.
grant :"owner" to current_user;
create database :"name" owner :"owner";
revoke all on database :"name" from public;
grant connect on database :"name" to :"name";

\connect :"name"
set role :"owner";
grant usage on schema public to :"name";
alter default privileges grant select, insert, update, delete on tables to :"name";
alter default privileges grant usage, select on sequences to :"name";
alter default privileges grant execute on functions to :"name";
