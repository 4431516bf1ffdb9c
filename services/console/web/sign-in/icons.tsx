/** @jsxImportSource preact */

/** Outlines of Tabler Icons, which the other pages use as well; their package draws with React. */
const outlines = {
  alert_circle: ['M3 12a9 9 0 1 0 18 0a9 9 0 0 0 -18 0', 'M12 8v4', 'M12 16h.01'],
  building: [
    'M3 21l18 0',
    'M5 21v-14l8 -4v18',
    'M19 21v-10l-6 -4',
    'M9 9l0 .01',
    'M9 12l0 .01',
    'M9 15l0 .01',
    'M9 18l0 .01',
  ],
  desktop: [
    'M3 5a1 1 0 0 1 1 -1h16a1 1 0 0 1 1 1v10a1 1 0 0 1 -1 1h-16a1 1 0 0 1 -1 -1v-10',
    'M7 20h10',
    'M9 16v4',
    'M15 16v4',
  ],
  disconnected: [
    'M20 16l-4 4',
    'M7 12l5 5l-1.5 1.5a3.536 3.536 0 1 1 -5 -5l1.5 -1.5',
    'M17 12l-5 -5l1.5 -1.5a3.536 3.536 0 1 1 5 5l-1.5 1.5',
    'M3 21l2.5 -2.5',
    'M18.5 5.5l2.5 -2.5',
    'M10 11l-2 2',
    'M13 14l-2 2',
    'M16 16l4 4',
  ],
  fingerprint: [
    'M18.9 7a8 8 0 0 1 1.1 5v1a6 6 0 0 0 .8 3',
    'M8 11a4 4 0 0 1 8 0v1a10 10 0 0 0 2 6',
    'M12 11v2a14 14 0 0 0 2.5 8',
    'M8 15a18 18 0 0 0 1.8 6',
    'M4.9 19a22 22 0 0 1 -.9 -7v-1a8 8 0 0 1 12 -6.95',
  ],
  language: [
    'M9 6.371c0 4.418 -2.239 6.629 -5 6.629',
    'M4 6.371h7',
    'M5 9c0 2.144 2.252 3.908 6 4',
    'M12 20l4 -9l4 9',
    'M19.1 18h-6.2',
    'M6.694 3l.793 .582',
  ],
  moon: ['M12 3c.132 0 .263 0 .393 0a7.5 7.5 0 0 0 7.92 12.446a9 9 0 1 1 -8.313 -12.454l0 .008'],
  sun: [
    'M8 12a4 4 0 1 0 8 0a4 4 0 1 0 -8 0',
    'M3 12h1m8 -9v1m8 8h1m-9 8v1m-6.4 -15.4l.7 .7m12.1 -.7l-.7 .7m0 11.4l.7 .7m-12.1 -.7l-.7 .7',
  ],
} as const
export type IconName = keyof typeof outlines

/** A decorative icon; the text next to it, or the label of its control, says what it stands for. */
export function Icon({ name, size = 20 }: { name: IconName; size?: number }) {
  return (
    <svg class="icon" width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
      {outlines[name].map((outline) => (
        <path key={outline} d={outline} />
      ))}
    </svg>
  )
}
