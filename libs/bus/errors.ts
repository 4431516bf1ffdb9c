/** The connection was lost during a call, or there was none. */
export class DisconnectedError extends Error {
  override readonly name = 'DisconnectedError'
}

/** A replica answered that it is unavailable. */
export class UnavailableReplicaError extends Error {
  override readonly name = 'UnavailableReplicaError'
  readonly replica: string
  constructor(replica: string) {
    super('A replica is unavailable.')
    this.replica = replica
  }
}
