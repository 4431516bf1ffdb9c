/** The texts about a login provider. */
export interface Guide {
  readonly client_id: string
  readonly client_secret: string
  readonly client_secret_hint?: string
  readonly steps: Readonly<Record<string, string>>
  /** Where the provider's console takes the address for notices. */
  readonly notification_hint?: string
  readonly warnings?: Readonly<Record<string, string>>
  /** The names of its options and of their values; `<name>_hint` explains one. */
  readonly options?: Readonly<Record<string, string>>
}

/** Loads the texts about each login provider in one language, by file. */
export type Guides = Readonly<Record<string, () => Promise<Guide>>>
