export * from './compile.ts'
export * from './texts.ts'
