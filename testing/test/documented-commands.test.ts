import { execFile } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { programPaths } from '../../deploy/build/programs.ts'

const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync('package.json', 'utf8')))

/** Lines of code blocks and inline code of the documentation. */
const code = globSync('**/*.md', { exclude: ['**/node_modules/**', 'docs/build/decisions/**'] }).flatMap((file) => {
  const text = readFileSync(file, 'utf8')
  const blocks = [...text.matchAll(/^ *```(?:sh|bash|console)?\n([\s\S]*?)^ *```/gm)].flatMap(([, block = '']) =>
    block.split('\n'),
  )
  const inline = [...text.matchAll(/`([^`\n]+)`/g)].map(([, command = '']) => command)
  return [...blocks, ...inline].map((line) => ({ file, line: line.trim() }))
})

/** Scripts that run with a Node.js version of the reader (`npx node`) or in the image (`kubectl exec`, `docker run`). */
const nodeCommands = code.flatMap(({ file, line }) => {
  const [, prefix = '', script = ''] =
    /^(.*?)\bnode ((?:services|loadtest|deploy)\/[\w./<>-]+\.(?:ts|js))/.exec(line) ?? []
  return script === '' ? [] : [{ file, prefix, script }]
})

test('commands that readers run on their machine use the pinned Node.js version', () => {
  const others = nodeCommands.filter(({ prefix }) => !/npx $|exec .*-- $|image: $/.test(prefix))
  expect(others).toEqual([])
})

test('every npm script in the documentation exists', () => {
  const named = code.flatMap(({ file, line }) =>
    [...line.matchAll(/\bnpm run (?:-\S+ )*([\w:-]+)/g)].map(([, script = '']) => ({ file, script })),
  )
  expect(named.filter(({ script }) => scripts[script] === undefined)).toEqual([])
})

// The Node.js version that started npm, which may be older than the pinned one.
const ownNode = process.env.npm_node_execpath ?? process.execPath
const path = [dirname(ownNode), ...(process.env.PATH ?? '').split(delimiter)].filter(
  (directory) => !directory.endsWith(join('node_modules', '.bin')),
)

describe('each documented script starts with the Node.js version of the README', () => {
  const documented = [...new Set(nodeCommands.map(({ script }) => script.replace('<service>', 'identity')))].sort()
  // The image has programs that are built from sources of the same names.
  test.each(documented)('%s reports missing settings or its usage', async (name) => {
    if (name.endsWith('.js')) expect(programPaths).toContain(name)
    const script = name.replace(/\.js$/, '.ts')
    expect(existsSync(script)).toBe(true)
    const environment = { PATH: path.join(delimiter), HOME: process.env.HOME }
    const output = await promisify(execFile)('npx', ['node', script, '--help'], { env: environment }).then(
      ({ stdout }) => stdout,
      (error: unknown) => String(Reflect.get(Object(error), 'stderr')),
    )
    expect(output).not.toMatch(/ERR_UNKNOWN_FILE_EXTENSION|SyntaxError|Cannot find/)
    expect(output).toMatch(/usage|--|missing/i)
  })
})
