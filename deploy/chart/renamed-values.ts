import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'

/** A value that went away: its path, the first version of the chart without it, and the path that took its place. */
const Renamed = z.strictObject({ value: z.string(), since: z.string(), instead: z.string().optional() })
export type Renamed = z.output<typeof Renamed>

/** Where a chart lists them. */
export const renamed_file = 'files/renamed.yaml'

/** Values of the chart in the folder that went away; none where it has no list of them. */
export function readRenamed(folder: string): readonly Renamed[] {
  const path = join(folder, renamed_file)
  return existsSync(path) ? z.array(Renamed).parse(parse(readFileSync(path, 'utf8'))) : []
}
