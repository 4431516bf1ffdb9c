/** The environment variables that our programs need, for tests that start them with a separate environment. */
export const nodeEnvironment: NodeJS.ProcessEnv = {
  PATH: process.env.PATH,
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
}
