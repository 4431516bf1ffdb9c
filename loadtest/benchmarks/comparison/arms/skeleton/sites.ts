import { z } from 'zod'

/** Pairs of an API key and the number of its site. */
export const SkeletonSites = z.array(z.tuple([z.string(), z.int()]))
export type SkeletonSites = z.infer<typeof SkeletonSites>
