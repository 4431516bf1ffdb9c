import { type DefaultTreeAdapterMap, parseFragment, serialize, defaultTreeAdapter as tree } from 'parse5'

/** Shapes and what fills them. Nothing that loads, runs, links or animates. */
const elements = new Set([
  'svg',
  'g',
  'path',
  'circle',
  'ellipse',
  'rect',
  'line',
  'polyline',
  'polygon',
  'defs',
  'linearGradient',
  'radialGradient',
  'stop',
  'clipPath',
  'mask',
])

const attributes = new Set([
  'xmlns',
  'viewBox',
  'width',
  'height',
  'id',
  'd',
  'points',
  'x',
  'y',
  'x1',
  'x2',
  'y1',
  'y2',
  'cx',
  'cy',
  'r',
  'rx',
  'ry',

  'fx',
  'fy',
  'offset',
  'transform',
  'gradientTransform',
  'gradientUnits',
  'spreadMethod',
  'clipPathUnits',
  'maskUnits',
  'fill',
  'fill-rule',
  'fill-opacity',
  'clip-rule',
  'clip-path',
  'mask',
  'opacity',
  'stop-color',
  'stop-opacity',
  'stroke',
  'stroke-width',
  'stroke-linecap',
  'stroke-linejoin',
  'stroke-miterlimit',
  'stroke-opacity',
])

/** Numbers, names, colors, and references within the document. */
const valueForm = /^(url\(#[\w-]+\)|[\w\s.,:/#%()+-]*)$/
const namespace = 'http://www.w3.org/2000/svg'

/**
 * Reduces an SVG document to its shapes: everything else is removed, such as scripts, styles, texts, links and pictures.
 *
 * @returns undefined if it is no SVG document
 */
export function reduceSvg(text: string): string | undefined {
  const svg = parseFragment(text).childNodes.find((node) => node.nodeName === 'svg')
  if (svg === undefined || !tree.isElementNode(svg)) return undefined
  reduceElement(svg)
  if (svg.childNodes.length === 0) return undefined
  const others = svg.attrs.filter(({ name }) => name !== 'xmlns')
  svg.attrs = [{ name: 'xmlns', value: namespace }, ...others]
  const reduced = tree.createDocumentFragment()
  tree.appendChild(reduced, svg)
  return serialize(reduced)
}

function reduceElement(element: DefaultTreeAdapterMap['element']): void {
  element.attrs = element.attrs.filter(({ name, value, prefix }) => !prefix && attributes.has(name) && isSafe(value))
  element.childNodes = element.childNodes.filter((child) => tree.isElementNode(child) && elements.has(child.tagName))
  for (const child of element.childNodes) if (tree.isElementNode(child)) reduceElement(child)
}

function isSafe(value: string): boolean {
  return valueForm.test(value) && (!/url/i.test(value) || value.startsWith('url(#')) && !value.includes('\u00a0')
}
