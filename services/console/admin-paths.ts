/** Path prefix of the Admin API. */
export const adminBasePath = '/admin/v1'

/** Converts the path of a procedure to the syntax of Koa's router. */
export function toRoutePath({ path }: { readonly path: string }): string {
  return `${adminBasePath}${path.replaceAll(/\{(\w+)\}/g, ':$1')}`
}

/** Builds the path of a procedure with its parameters. */
export function buildPath({ path }: { readonly path: string }, parameters: Readonly<Record<string, string>>): string {
  const values = new Map(Object.entries(parameters))
  return `${adminBasePath}${path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values.get(name) ?? ''))}`
}
