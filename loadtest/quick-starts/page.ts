import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { SetupError } from '#local'

/** The files and commands of a page in docs/use/quick-starts. */
export interface QuickStart {
  /** The page's file name without extension. */
  readonly name: string
  /** The programs that the page requires, by their names on the page, with the oldest version. */
  readonly requirements: ReadonlyMap<string, string>
  /** Texts by path, relative to the application's directory. */
  readonly files: ReadonlyMap<string, string>
  /** Shell commands that register the client, or create the webhook, in the directory of the service. */
  readonly registration: string
  /** Shell commands in the application's directory, which end by themselves. */
  readonly installation: string
  /** Shell commands in the application's directory; the last one serves until it is stopped. */
  readonly run: string
  /** Shell commands that cause an event, in the directory of the service: of an application that receives webhooks. */
  readonly sending: string | undefined
}

interface CodeBlock {
  readonly file: string | undefined
  readonly language: string
  readonly text: string
}

export function readQuickStart(path: string): QuickStart {
  const name = basename(path, '.md')
  const sections = splitSections(readFileSync(path, 'utf8'))
  const section = (heading: string) => {
    const text = sections.get(heading)
    if (text === undefined) throw new SetupError(`${path} has no section "${heading}".`)
    return text
  }
  const commands = (heading: string) => {
    const blocks = codeBlocks(section(heading)).filter(({ file, language }) => file === undefined && language === 'sh')
    if (blocks.length === 0) throw new SetupError(`${path} has no \`sh\` block under "${heading}".`)
    return blocks.map(({ text }) => text).join('')
  }
  const files = codeBlocks(section('Create the application')).flatMap(({ file, text }) =>
    file === undefined ? [] : [[file, text] as const],
  )
  const requirements = [...section('Prerequisites').matchAll(/([A-Z][\w.]*) (\d+(?:\.\d+)*) or later/g)]
  return {
    name,
    requirements: new Map(requirements.map(([, program = '', version = '']) => [program, version])),
    files: new Map(files),
    registration: commands(sections.has('Create a webhook') ? 'Create a webhook' : 'Register a client'),
    installation: commands('Install'),
    run: commands('Run'),
    sending: sections.has('Send an event') ? commands('Send an event') : undefined,
  }
}

/** The text under each heading of the second level, by the heading without its number. */
function splitSections(page: string): Map<string, string> {
  const [, ...sections] = page.split(/^## (?:\d+\. )?/m)
  return new Map(
    sections.map((section) => {
      const endOfLine = section.indexOf('\n')
      return [section.slice(0, endOfLine), section.slice(endOfLine + 1)]
    }),
  )
}

function codeBlocks(section: string): CodeBlock[] {
  return [...section.matchAll(/^```(\w+)(?: \[(.+)\])?\n([\s\S]*?)^```$/gm)].map(
    ([, language = '', file, text = '']) => ({ language, file, text }),
  )
}
