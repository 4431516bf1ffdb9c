const browsers: readonly (readonly [name: string, version: RegExp])[] = [
  ['Edge', /Edg\w*\/(\d+)/],
  ['Opera', /OPR\/(\d+)/],
  ['Firefox', /Firefox\/(\d+)/],
  ['Chrome', /(?:Headless)?Chrom\w+\/(\d+)/],
  ['Safari', /Version\/(\d+)\S* (?:Mobile\/\S+ )?Safari/],
]
const systems: readonly (readonly [name: string, sign: RegExp])[] = [
  ['iOS', /iPhone|iPad/],
  ['Android', /Android/],
  ['Windows', /Windows/],
  ['macOS', /Mac OS X/],
  ['ChromeOS', /CrOS/],
  ['Linux', /Linux/],
]

/** Formats a User-Agent as browser and system. Unknown ones are returned unchanged. */
export function formatBrowser(userAgent: string): string {
  const [system] = systems.find(([, sign]) => sign.test(userAgent)) ?? []
  for (const [name, version] of browsers) {
    const number = version.exec(userAgent)?.[1]
    if (number !== undefined) return [`${name} ${number}`, ...(system ? [system] : [])].join(' · ')
  }
  return userAgent
}
