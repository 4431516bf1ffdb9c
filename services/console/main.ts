import { run } from '#runtime'
import { readConfig } from './config.ts'
import { service } from './service.ts'

await run('console', readConfig, service)
