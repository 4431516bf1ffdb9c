import type { z } from 'zod'
import { type AdminApi, type AdminProcedure, adminApi } from '#admin-api'
import type { Call } from '#bus'
import type { Deps } from '../deps.ts'
import { listServedBy, type ServedBy, type ServedProcedure, type ServingService } from '../served-procedures.ts'
import type { Actor, AdminHandlers, ExpectedRevision } from './admin-handler.ts'
import { resolveSite } from './resolve-site.ts'

/** The procedure of a service that serves one of the Admin API: it takes the input and the site, and its output is the response. */
type Serving<N extends ServedProcedure> = (
  input: z.output<AdminApi[N]['input']> & ExpectedRevision<N> & { readonly site: number },
  call: Call,
) => Promise<z.input<AdminApi[N]['output']>>

/** The clients of the services, each with the procedures that it serves. */
type ServingClients = { readonly [S in ServingService]: { readonly [N in ServedBy<S>]: Serving<N> } }

type Fields = Readonly<Record<string, unknown>>
type AnyServing = (input: Fields, call: Call) => Promise<Fields>
type Input = Fields & { readonly account: string; readonly site_id: string }
type ServedHandler = (
  input: Input,
  deps: Deps,
  actor: Pick<Actor, 'audit' | 'call'> & { readonly expected_revision?: number },
) => Promise<Fields>

const served: readonly ServedProcedure[] = [...listServedBy('identity'), ...listServedBy('provider_auth')]

/** The handlers of the procedures that a service serves, from their `servedBy`, `reader` and `audited`. */
export const servedHandlers = Object.fromEntries(
  served.map((name) => [name, createHandler(name)]),
  // `ServingClients` guarantees that each handler has the types of its procedure.
) as unknown as AdminHandlers<ServedProcedure>

function createHandler(name: ServedProcedure): ServedHandler {
  const { reader: readerName, audited }: AdminProcedure = adminApi[name]
  const reader = served.find((other) => other === readerName)
  if (reader !== readerName) throw new Error(`${name} has the reader ${readerName}, which no service serves.`)
  return async (input, deps, { audit, call, expected_revision }) => {
    const { site } = await resolveSite(input, deps, call)
    const before = reader && (await serve(reader, { ...input, site }, deps, call))
    const revision = expected_revision === undefined ? {} : { expected_revision }
    const output = await serve(name, { ...input, ...revision, site }, deps, call)
    if (before) audit(pickFields(before, audited), pickFields(output, audited))
    return output
  }
}

/** Calls the procedure of the same name of the service. */
function serve(name: ServedProcedure, input: Fields, clients: ServingClients, call: Call): Promise<Fields> {
  const { servedBy, input: known } = adminApi[name]
  // `ServingClients` has each procedure in the client of its service.
  const procedures = clients[servedBy] as unknown as Record<ServedProcedure, AnyServing>
  return procedures[name](pickFields(input, [...Object.keys(known.shape), 'site', 'expected_revision']), call)
}

function pickFields(from: Fields, names: readonly string[] = Object.keys(from)): Fields {
  return Object.fromEntries(Object.entries(from).filter(([name]) => names.includes(name)))
}
