/** Draws a picture from a user's ID, so that nothing has to be stored; undefined for an invalid ID. */
export function drawPortrait(id: string): string | undefined {
  if (!/^[0-9a-f]{24}$/.test(id)) return undefined
  const digits = [...id].map((digit) => Number.parseInt(digit, 16))
  const hue = Number.parseInt(id.slice(0, 4), 16) % 360
  const cells = Array.from({ length: 15 }, (_, cell) => cell)
    .filter((cell) => (digits[cell + 4] ?? 0) % 2 === 0)
    .flatMap((cell) => {
      const [column, row] = [cell % 3, Math.floor(cell / 3)]
      const mirrored = column === 2 ? [2] : [column, 4 - column]
      return mirrored.map((x) => `<rect x="${x + 2}" y="${row + 2}" width="1.02" height="1.02"/>`)
    })
  return (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9" width="180" height="180">' +
    `<rect width="9" height="9" fill="hsl(${hue} 45% 90%)"/><g fill="hsl(${hue} 50% 38%)">${cells.join('')}</g></svg>`
  )
}
