import { run } from './run.ts'

// A closed pipe, for example of `head`, is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit()
})

process.exitCode = await run(process.argv.slice(2), {
  environment: process.env,
  stdin: process.stdin,
  print: (text) => process.stdout.write(text),
  printError: (text) => process.stderr.write(text),
  interactive: process.stdin.isTTY === true && process.stderr.isTTY === true,
  columns: process.stdout.columns ?? 160,
})
