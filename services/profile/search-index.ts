import { listTerms } from './domain/search-terms.ts'
import { blindTerm, type SearchKeys } from './search-keys.ts'
import type { SearchIndex } from './store/indexed-profile.ts'
import { replaceTerms } from './store/search-terms.ts'

/** Creates the index with the keys of sites. */
export function createSearchIndex(keys: SearchKeys): SearchIndex {
  return {
    async update(trx, profiles) {
      const indexed = profiles.flatMap(({ search, ...profile }) => (search === null ? [] : [{ ...profile, search }]))
      const [first] = indexed
      if (first === undefined) return
      const keysOfSite = await keys.findKeys(trx, first.site)
      const users = indexed.map(({ identifier, combined, search }) => {
        const key = keysOfSite.get(search.key_version)
        const texts = key === undefined || combined === null ? [] : listTerms(combined, search.fields)
        return { identifier, terms: key === undefined ? [] : [...new Set(texts.map((text) => blindTerm(key, text)))] }
      })
      await replaceTerms(trx, first.site, users)
    },
  }
}
