import type { Handler } from '#bus'
import type { providerAuthContract } from '#contracts'
import type { Deps } from '../deps.ts'
import { listSiteClients as list } from '../store/clients.ts'

type Procedure = (typeof providerAuthContract.procedures)['listClients']

export const listClients: Handler<Procedure, Deps> = async (site, { knex }) => ({ clients: await list(knex, site) })
