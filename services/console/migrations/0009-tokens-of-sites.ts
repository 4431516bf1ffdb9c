import type { Migration } from '#database'

/** Tokens that are limited to single sites of an account. */
export const tokensOfSites: Migration = {
  name: '0009-tokens-of-sites',
  async up(knex) {
    await knex.raw(`
      -- Null: the token is for the account with all its sites, or an operator token.
      alter table tokens
        add column sites text[],
        -- Earlier releases look for the hash alone: they do not know such a token, and must not take it for one of the account.
        add constraint tokens_of_sites_are_unknown_to_earlier_releases check
          ((sites is null and token_hash not like 'sites:%')
            or (sites is not null and cardinality(sites) > 0 and account is not null and token_hash like 'sites:%'));
    `)
  },
}
