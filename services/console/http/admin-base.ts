/** Where the Admin API begins. */
export const adminBase = '/admin/v1'

/** Where something of the Admin API is asked for: its path as Koa's router has it. */
export function routeOf({ path }: { readonly path: string }): string {
  return `${adminBase}${path.replaceAll(/\{(\w+)\}/g, ':$1')}`
}

/** As `routeOf`, with the parameters filled in. */
export function addressOf({ path }: { readonly path: string }, parameters: Readonly<Record<string, string>>): string {
  const values = new Map(Object.entries(parameters))
  return `${adminBase}${path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values.get(name) ?? ''))}`
}
