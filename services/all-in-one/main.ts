import { runServices } from '#runtime'
import { createPrograms } from './programs.ts'

await runServices('all-in-one', createPrograms())
