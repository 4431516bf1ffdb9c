import { loadCatalog } from '#catalog'
import { builtInLoginProviders } from '#contracts'

/** The providers that the simulator plays: the built-in ones, and those that the catalog describes. */
export const simulatedNames = [...builtInLoginProviders, ...loadCatalog().map(({ name }) => name)] as const
