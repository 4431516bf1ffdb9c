import { join } from 'node:path'
import { searchPrograms } from '#local'
import type { Note } from '../local/progress.ts'
import { buildGoProgram } from './build-go-program.ts'
import type { Tool } from './tool.ts'
import { type ToolName, tools } from './tools.ts'

/**
 * The path of a tool's program: one found on the PATH, or built by Go of what `go.mod` and `go.sum` in the folder
 * `deploy/tools/<module>` pin, now or earlier.
 *
 * @throws SetupError as `buildGoProgram`
 */
export async function findOrBuild(name: ToolName, { note }: { readonly note: Note }): Promise<string> {
  const [found] = await searchPrograms(tools[name], process.env)
  const { module = name, ...program }: Tool = tools[name]
  return found?.path ?? buildGoProgram({ ...program, name, directory: join(import.meta.dirname, module) }, note)
}
