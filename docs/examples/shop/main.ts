import { createShop } from './app.ts'
import { type Config, readConfig } from './config.ts'

function configOrExit(): Config {
  try {
    return readConfig(process.env)
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exit(1)
  }
}

const config = configOrExit()
const server = createShop(config).listen(config.port, config.host)
server.on('listening', () => console.log(`The shop is open at ${config.shop_url}`))
server.on('error', (error: NodeJS.ErrnoException) => {
  console.error(error.code === 'EADDRINUSE' ? `Port ${config.port} is in use; set another PORT.` : error.message)
  process.exit(1)
})

/** Stops accepting connections, finishes running requests, and closes the remaining ones after five seconds. */
function stop(): void {
  server.close(() => process.exit(0))
  setTimeout(() => server.closeAllConnections(), 5_000).unref()
}
process.on('SIGTERM', stop)
process.on('SIGINT', stop)
process.on('disconnect', stop)
