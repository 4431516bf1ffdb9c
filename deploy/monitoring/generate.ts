import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { generateMonitoringFiles } from './monitoring-files.ts'

/** `npm run generate:monitoring`: writes the metrics page and the dashboards. */
for (const [path, text] of Object.entries(generateMonitoringFiles())) {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, text)
}
