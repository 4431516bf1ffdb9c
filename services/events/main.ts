import { runService } from '#runtime'
import { readConfig } from './config.ts'
import { service } from './service.ts'

await runService('events', readConfig, service)
