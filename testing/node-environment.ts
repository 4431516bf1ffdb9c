/** What a program of ours needs of this process's environment, for tests that start one with an environment of its own. */
export const nodeEnvironment: NodeJS.ProcessEnv = {
  PATH: process.env.PATH,
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
}
