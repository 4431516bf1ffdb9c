import type { PersonalData } from '#database'
import type { Encryptor } from '#runtime'
import type { SearchIndex } from './indexed-profile.ts'

/** What the stores need besides a transaction. */
export interface StoreTools {
  readonly searchIndex: SearchIndex
  /** Of `profiles.combined`; the subjects are users. */
  readonly combinedData: PersonalData
  /** Of `provider_profiles.data`; the subjects are links. */
  readonly linkData: PersonalData
  /** For events that are not in the stream yet; null: they are not encrypted. */
  readonly eventEncryptor: Pick<Encryptor, 'encrypt'> | null
}
