import type { Logo } from './description.ts'

/**
 * A login provider's logo as an SVG document.
 *
 * @param color a CSS color for logos of one color
 */
export function logoSvg(logo: Logo, color: string): string {
  const [size, body] = 'path' in logo ? [24, `<path fill="${color}" d="${logo.path}"/>`] : [48, logo.elements]
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}">${body}</svg>`
}
