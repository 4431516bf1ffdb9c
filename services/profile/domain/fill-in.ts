import type { ProviderData } from '#contracts'

/**
 * What is known of a provider after two logins: what the newer was told, and of the parts that it was not told, what the
 * older was. A part that neither was told stays to be filled in.
 */
export function fillIn(newer: ProviderData, older: ProviderData): ProviderData {
  const filled = { ...newer }
  const part = <P extends Part>(name: P) => {
    filled[name] = older[name]
  }
  for (const name of newer.untold ?? []) part(name)
  const untold = newer.untold?.filter((name) => older.untold?.includes(name)) ?? []
  return withUntold(filled, untold)
}

/** The same, with nothing to be filled in: what there was before it does not count. */
export function complete(data: ProviderData): ProviderData {
  return withUntold(data, [])
}

type Part = NonNullable<ProviderData['untold']>[number]

function withUntold({ untold: _, ...data }: ProviderData, untold: Part[]): ProviderData {
  return untold.length === 0 ? data : { ...data, untold }
}
