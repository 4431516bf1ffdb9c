import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { generated } from './generated.ts'

/** `npm run generate:watch`: writes the page of metrics and the dashboards. */
for (const [path, text] of Object.entries(generated())) {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, text)
}
