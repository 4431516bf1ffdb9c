import type { z } from 'zod'
import { type Context, MalformedJson, readJson } from '#http'

/** Parses a request's JSON body by the schema, or describes what is wrong with it. */
export async function readJsonInput<S extends z.ZodType>(
  ctx: Context,
  schema: S,
): Promise<{ readonly data: z.output<S> } | { readonly problem: string }> {
  try {
    const parsed = schema.safeParse(await readJson(ctx.req))
    if (parsed.success) return { data: parsed.data }
    const problems = parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'The JSON body'}: ${message}`)
    return { problem: problems.join('; ') }
  } catch (error) {
    if (!(error instanceof MalformedJson)) throw error
    return { problem: error.message }
  }
}
