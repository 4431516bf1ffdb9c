import type { Guide } from '../guide.ts'

/** The texts about the providers of the catalog, and those about all others that sites configure, by file. */
export const configuredGuides = import.meta.glob<Guide>('./configured/*.json', { import: 'default', eager: true })
