import type { KeyboardEvent } from 'react'

const focusable = 'a[href], button:not([disabled]), input:not([disabled])'
const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }

/** Moves the focus with the arrow keys to the link, button or check box at the same place of the next or previous row. */
export function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = steps[event.key]
  const { target } = event
  if (step === undefined || !(target instanceof HTMLElement)) return
  const row = target.closest('tr')
  if (row === null) return
  const controlsOf = (one: Element) => [...one.querySelectorAll<HTMLElement>(focusable)]
  const place = controlsOf(row).indexOf(target)
  const next = step > 0 ? row.nextElementSibling : row.previousElementSibling
  if (place < 0 || next === null) return
  const controls = controlsOf(next)
  const control = controls[place] ?? controls.at(-1)
  if (control === undefined) return
  event.preventDefault()
  control.focus()
}
