import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Eta } from 'eta'
import { repository } from './site-paths.ts'

const reference = join(repository, 'libs/http/api-reference')
const apis = [
  { name: 'web-api', title: 'Web API' },
  { name: 'admin-api', title: 'Admin API' },
]

/**
 * Writes the references of both APIs below `directory`, as the services show them at `/docs`, but without test requests, which
 * would reach the site's own host. `base` is the site's path, such as `/`.
 */
export function writeApiReferences(directory: string, base: string): void {
  const files = join(directory, 'reference')
  mkdirSync(files, { recursive: true })
  const scalar = join(repository, 'node_modules/@scalar/api-reference/dist/browser/standalone.js')
  copyFileSync(scalar, join(files, 'scalar.js'))
  for (const file of ['start.js', 'icon.svg']) copyFileSync(join(reference, file), join(files, file))
  const eta = new Eta({ views: reference, autoEscape: true })
  for (const { name, title } of apis) {
    const openapi: object = JSON.parse(readFileSync(join(repository, `docs/${name}.openapi.json`), 'utf8'))
    // `externalDocs` links to the page that a service serves.
    writeFileSync(join(files, `${name}.json`), JSON.stringify({ ...openapi, externalDocs: undefined }))
    const openapiPath = `${base}reference/${name}.json`
    const data = { title, path: `${base}reference`, contentPath: openapiPath, openapiPath, testRequests: false }
    writeFileSync(join(files, `${name}.html`), eta.render('page', data))
  }
}
