/** A user named by one of its IDs; the other is empty. */
export interface UserId {
  readonly identifier: string
  readonly primary_key: string
}

export interface HistoryInput {
  readonly operation: 'create_user' | 'user_attribute' | 'map' | 'unmap' | 'merge_user' | 'dissociate' | 'delete_user'
  /** Of `create_user`: its identifier, known afterwards. */
  readonly user: UserId
  /** Of `merge_user`, whose source is `user`. */
  readonly destination?: UserId
  readonly primary_key?: string
  /** By provider. */
  readonly accounts?: Readonly<Record<string, string>>
  readonly provider?: string
  readonly overwrite?: boolean
  readonly nowarn?: boolean
}

/** What an answer says. Only reads of a user have more than a code. */
export interface HistoryOutput {
  /** Of the error; 0 for success. */
  readonly code: number
  readonly identifier?: string
  readonly primary_key?: string
  readonly accounts?: Readonly<Record<string, string>>
}

/** An operation of a client, as the checker reads it. */
export interface RecordedOperation {
  readonly client: number
  /** Nanoseconds. */
  readonly call: number
  /** Undefined if there was no answer: it can take effect at any time after the call. */
  readonly return?: number
  readonly input: HistoryInput
  readonly output?: HistoryOutput
}

/** What the clients of a group of users did and saw. */
export interface History {
  readonly seed: number
  readonly operations: readonly RecordedOperation[]
}
