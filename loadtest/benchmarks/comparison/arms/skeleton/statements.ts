/** The statements of the skeleton. Postgres parses and plans each once per connection, because it has a name. */
export const userStatement = {
  name: 'find-user',
  text: `select identifier, primary_key, mapped_at, last_logged_in_at, last_logged_in_provider, login_count, created_at,
      array(select provider from links where links.site = users.site and links.identifier = users.identifier
        order by created_at, provider) as providers
    from users where site = $1 and identifier = $2`,
}

export const profileStatement = {
  name: 'find-profile',
  text: `select combined, update_count, last_updated_at, prohibited, excludes_everything
    from profiles left join excluded_fields using (site) where site = $1 and identifier = $2`,
}
