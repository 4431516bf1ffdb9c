import type { Replica } from './replicate-changes.ts'

/** A host of the Web API that a site proved to be its own. */
interface ApiHost {
  readonly host: string
  readonly site: number
  /** Whether requests on the host are served; otherwise the site released it, or its proof is missing. */
  readonly active: boolean
  /** What the host itself serves, so that it stays proven. */
  readonly proof: string
  readonly revision: number
}

/** The sites' own hosts of the Web API, in memory. */
export interface ApiHostTable extends Replica<ApiHost> {
  /** The site that a host belongs to, or that it is not in use any more; undefined if it is no host of a site. */
  readonly find: (host: string) => number | 'unused' | undefined
  /** What proves a host of a site that is served. */
  readonly findProof: (host: string) => string | undefined
}

export function createApiHostTable(): ApiHostTable {
  const sites = new Map<string, number | 'unused'>()
  const proofs = new Map<string, string>()
  let revision = -1
  return {
    find: (host) => sites.get(host),
    findProof: (host) => proofs.get(host),
    apply(changes) {
      for (const { host, site, active, proof } of changes) {
        sites.set(host, active ? site : 'unused')
        if (active) proofs.set(host, proof)
        else proofs.delete(host)
      }
    },
    confirm(confirmed) {
      revision = confirmed
    },
    revision: () => revision,
  }
}
