/** The connection was lost during a call, or there was none. */
export class DisconnectedError extends Error {}

/** A replica answered that it is unavailable. */
export class UnavailableReplicaError extends Error {
  readonly replica: string
  constructor(replica: string) {
    super('A replica is unavailable.')
    this.replica = replica
  }
}
