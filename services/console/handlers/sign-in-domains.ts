import type { z } from 'zod'
import { createReason, type memberSignInProcedures, type SignInDomain } from '#admin-api'
import { limits } from '#contracts'
import { transaction } from '#database'
import { toTimestamp, toTimestampOrNull } from '#runtime'
import { AdminFault } from '../admin-fault.ts'
import type { Deps } from '../deps.ts'
import {
  type AccountDomain,
  deleteDomain,
  findDomain,
  insertDomain,
  listDomains,
  lockProvenDomains,
  storeProof,
} from '../store/account-domains.ts'
import { isProviderRequired } from '../store/account-providers.ts'
import type { Actor, AdminHandlers } from './admin-handler.ts'
import { requireAccount } from './resolve-account.ts'
import { toConflict, translateFaults } from './resolve-site.ts'

type Names = 'addSignInDomain' | 'checkSignInDomain' | 'confirmSignInDomain' | 'removeSignInDomain'

/** Domains of the e-mail addresses of an account's members. */
export const signInDomainHandlers = {
  async addSignInDomain({ account, domain }, deps, actor) {
    const { knex, now } = deps
    await requireAccount(account, deps, actor)
    await transaction(knex, async (trx) => {
      await insertDomain(trx, { account, domain, now: now() })
      // Concurrent requests can exceed the limit by a few, which does no harm.
      if ((await listDomains(trx, account)).length > limits.sign_in_domains) {
        const reason = createReason('too_many_domains', { count: String(limits.sign_in_domains) })
        throw new AdminFault('invalid_request', { field: 'domain', reason })
      }
      await actor.auditIn(trx, null, { domain })
    })
    return readDomain(knex, { account, domain })
  },

  async checkSignInDomain({ account, domain }, deps, actor) {
    const claimed = await findDomain(deps.knex, { account, domain })
    if (claimed === undefined) throw new AdminFault('not_found')
    const state = await deps.findTxtRecord(txtNameOf(domain), txtValueOf(claimed))
    if (state !== 'found') {
      const record = txtNameOf(domain)
      const reason = {
        missing: createReason('txt_record_missing', { record }),
        different: createReason('txt_record_different', { record }),
        unavailable: createReason('dns_unavailable'),
      }[state]
      throw new AdminFault('conflict', { reason })
    }
    return proveDomain({ account, domain, by: 'dns' }, deps, actor)
  },

  async confirmSignInDomain({ account, domain }, deps, actor) {
    return proveDomain({ account, domain, by: 'operator' }, deps, actor)
  },

  async removeSignInDomain({ account, domain }, { knex }, actor) {
    await transaction(knex, async (trx) => {
      const proven = await lockProvenDomains(trx, account)
      if (proven.length === 1 && proven[0] === domain && (await isProviderRequired(trx, account))) {
        throw new AdminFault('conflict', { reason: createReason('last_domain') })
      }
      const removed = await deleteDomain(trx, { account, domain })
      if (removed === undefined) throw new AdminFault('not_found')
      await actor.auditIn(trx, { domain, proven_by: removed.proven_by }, null)
    })
    return {}
  },
} satisfies AdminHandlers<Extract<keyof typeof memberSignInProcedures, Names>>

/** A domain in the format of the Admin API. */
export function toSignInDomain(domain: AccountDomain): z.input<typeof SignInDomain> {
  const { proven_by, proven_at } = domain
  return {
    domain: domain.domain,
    txt_name: txtNameOf(domain.domain),
    txt_value: txtValueOf(domain),
    proven_by,
    proven_at: toTimestampOrNull(proven_at),
  }
}

async function proveDomain(
  { account, domain, by }: Pick<AccountDomain, 'account' | 'domain'> & { readonly by: 'dns' | 'operator' },
  { knex, now }: Pick<Deps, 'knex' | 'now'>,
  actor: Actor,
) {
  const proving = transaction(knex, async (trx) => {
    const provenAt = now()
    if (!(await storeProof(trx, { account, domain, by, now: provenAt }))) throw new AdminFault('not_found')
    await actor.auditIn(trx, { domain }, { domain, proven_by: by, proven_at: toTimestamp(provenAt) })
  })
  await translateFaults(proving, { already_exists: toConflict(createReason('domain_of_another_account')) })
  return readDomain(knex, { account, domain })
}

async function readDomain(knex: Deps['knex'], key: Pick<AccountDomain, 'account' | 'domain'>) {
  const domain = await findDomain(knex, key)
  if (domain === undefined) throw new AdminFault('not_found')
  return toSignInDomain(domain)
}

/** The name of the TXT record, as for hosts of sites: below the domain, because a name with a CNAME has no other record. */
function txtNameOf(domain: string): string {
  return `_social-login.${domain}`
}

function txtValueOf({ token }: Pick<AccountDomain, 'token'>): string {
  return `social-login-domain=${token}`
}
