export * from './compile.ts'
export * from './parameters.ts'
export * from './texts.ts'
