/** A page of the documentation with the complete files of a small application. */
export interface QuickStart {
  /** Name of the page. */
  readonly slug: string
  /** The framework. */
  readonly title: string
  readonly files: readonly { readonly name: string; readonly content: string }[]
}

/** What the files of a quick start contain for a site. */
interface SiteValues {
  readonly issuer: string
  readonly client_id: string | undefined
}

/** The issuer of the installation on a developer's machine, which the documentation uses. */
const documentedIssuer = 'http://localhost:8081'

/** Replaces the values of the documentation by those of a site. The client secret is not known to the console. */
export function fillIn({ files }: QuickStart, { issuer, client_id }: SiteValues): QuickStart['files'] {
  return files.map(({ name, content }) => ({
    name,
    content: content.replaceAll(documentedIssuer, issuer).replaceAll('<client_id>', client_id ?? '<client_id>'),
  }))
}
