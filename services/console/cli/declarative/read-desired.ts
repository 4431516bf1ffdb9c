import { CliError } from '../cli-error.ts'
import { Desired } from '../domain/desired.ts'
import type { Io } from '../io.ts'
import { readYaml } from '../read-yaml.ts'

/**
 * Reads and combines several files. An account can be in several files, a site only in one.
 *
 * @param names of files; `-` is standard input
 * @throws CliError `usage` with file, line and path of every problem
 */
export async function readDesired(names: readonly string[], io: Io): Promise<Desired> {
  const files = await Promise.all(names.map(async (name) => ({ name, desired: await readYaml(name, Desired, io) })))
  const accounts: Desired['accounts'] = {}
  const from = new Map<string, string>()
  const claim = (path: string, name: string) => {
    const other = from.get(path)
    if (other !== undefined) throw new CliError('usage', `${path} is in ${other} and in ${name}. Remove one of them.`)
    from.set(path, name)
  }
  for (const { name, desired } of files)
    for (const [account, wanted] of Object.entries(desired.accounts)) {
      if (wanted.name !== undefined) claim(`accounts.${account}.name`, name)
      for (const siteId of Object.keys(wanted.sites ?? {})) claim(`accounts.${account}.sites.${siteId}`, name)
      const before = accounts[account]
      accounts[account] = { ...before, ...wanted, sites: { ...before?.sites, ...wanted.sites } }
    }
  return { accounts }
}
