import type { BarChart } from './bench-report.ts'
import { formatNumber } from './format.ts'

const width = 720
const labelWidth = 200
const valueWidth = 120
const rowHeight = 34
const top = 52
const margin = 14

/** An SVG of horizontal bars on its own background, so that it is readable on a light and on a dark page. */
export function drawBarChart({ title, unit, bars }: BarChart): string {
  const longest = Math.max(...bars.map(({ value }) => value))
  const height = top + bars.length * rowHeight + 8
  const rows = bars.map(({ label, value }, n) => {
    const y = top + n * rowHeight
    const length = Math.max(1, Math.round(((width - labelWidth - valueWidth) * value) / longest))
    return [
      `<text class="label" x="${labelWidth - 12}" y="${y + 17}" text-anchor="end">${escapeXml(label)}</text>`,
      `<rect class="${n === 0 ? 'first' : 'bar'}" x="${labelWidth}" y="${y}" width="${length}" height="24" rx="3"/>`,
      `<text class="value" x="${labelWidth + length + 8}" y="${y + 17}">${formatNumber(value)}</text>`,
    ].join('\n  ')
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeXml(`${title}: ${unit}`)}">
  <style>
    .page { fill: #ffffff }
    text { font: 14px system-ui, sans-serif; fill: #1f2937 }
    .title { font-weight: 600 }
    .unit { fill: #6b7280 }
    .first { fill: #2563eb }
    .bar { fill: #9ca3af }
    @media (prefers-color-scheme: dark) {
      .page { fill: #1b1b1f }
      text { fill: #e5e7eb }
      .unit { fill: #9ca3af }
      .first { fill: #60a5fa }
      .bar { fill: #6b7280 }
    }
  </style>
  <rect class="page" width="${width}" height="${height}" rx="6"/>
  <text class="title" x="${margin}" y="26">${escapeXml(title)}</text>
  <text class="unit" x="${width - margin}" y="26" text-anchor="end">${escapeXml(unit)}</text>
  ${rows.join('\n  ')}
</svg>
`
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

function escapeXml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => entities[character] ?? character)
}
