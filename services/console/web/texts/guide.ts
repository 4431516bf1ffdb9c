/** The texts about a login provider. */
export interface Guide {
  readonly client_id: string
  readonly client_secret: string
  readonly client_secret_hint?: string
  readonly steps: Readonly<Record<string, string>>
  /** Where to enter the notification URL in the provider's console. */
  readonly webhook_hint?: string
  readonly warnings?: Readonly<Record<string, string>>
  /** Labels of options and their values; `<name>_hint` explains an option. */
  readonly options?: Readonly<Record<string, string>>
}

/** Loads the texts about providers that sites configure, by file. */
export type LoadConfiguredGuides = () => Promise<Readonly<Record<string, Guide>>>

/** Loads the texts about each login provider in one language, by file. */
export type Guides = Readonly<Record<string, () => Promise<Guide>>>
