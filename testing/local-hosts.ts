import { lookup } from 'node:dns'
import { Agent, getGlobalDispatcher, setGlobalDispatcher } from 'undici'

/** Lets `fetch` of this process reach names below `localhost`, as browsers do (RFC 6761 6.3), until disposed. */
export function resolveLocalHosts(): AsyncDisposable {
  const before = getGlobalDispatcher()
  const agent = new Agent({
    connect: {
      lookup: (name, options, callback) => lookup(/\.localhost$/i.test(name) ? 'localhost' : name, options, callback),
    },
  })
  setGlobalDispatcher(agent)
  return {
    async [Symbol.asyncDispose]() {
      setGlobalDispatcher(before)
      await agent.close()
    },
  }
}
