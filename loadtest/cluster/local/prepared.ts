import { z } from 'zod'

/** What is made before the cluster starts, because its namespaces have no network: passed to the process in them as JSON. */
export const PreparedCluster = z.object({
  /** Folder with a link to each program, by its name. */
  programs: z.string(),
  /** Paths of the clients. */
  clients: z.object({ kubectl: z.string(), helm: z.string(), helm3: z.string() }),
  /** Archives of images. */
  images: z.array(z.string()),
  /** Files with CustomResourceDefinitions. */
  customResources: z.array(z.string()),
  /** Folder for the data of the node. */
  data: z.string(),
})
export type PreparedCluster = z.infer<typeof PreparedCluster>
