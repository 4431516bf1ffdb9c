declare module 'glossy' {
  export const Parse: { readonly parse: (message: Buffer) => unknown }
}
