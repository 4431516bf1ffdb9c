import { type ClaimMapping, listSuppliedItems, type ProfileItem } from '#contracts'

/** The items whose rules read the claims of a further resource, which are below its name. */
export function listItemsOf(resource: string, claims: ClaimMapping): readonly ProfileItem[] {
  const pointer = new RegExp(`"/${resource}(/|")`)
  const rules: Readonly<Record<string, unknown>> = { ...claims.profile, ...claims }
  return listSuppliedItems(claims).filter((item) => pointer.test(JSON.stringify(rules[item])))
}
