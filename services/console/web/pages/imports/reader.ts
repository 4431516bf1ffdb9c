/** What reads files; loaded with the first chosen file, because it has a parser for each format. */
export { divideIntoBatches } from '../../../import-files/batches.ts'
export { guessProvider } from '../../../import-files/convert/common.ts'
export { createSource } from '../../../import-files/decode.ts'
export { formatTitles, readImportFile } from '../../../import-files/formats.ts'
export { isRejected } from '../../../import-files/record.ts'
