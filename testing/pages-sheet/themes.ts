import type { z } from 'zod'
import type { Theme } from '#contracts'

const logo = toPng('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==')

function toPng(base64: string): string {
  return `data:image/png;base64,${base64}`
}

/** Themes that differ as much as those of sites do. */
export const themes: Readonly<Record<string, z.input<typeof Theme>>> = {
  default: {},
  warm: {
    light: { page: '#fff4e6', card: '#fffdf9', text: '#3b2314', accent: '#b5380f' },
    dark: { page: '#1d120b', card: '#2a1b12', text: '#f7e9dc', accent: '#ff9c6b' },
    radius: 24,
    font: 'rounded',
    card_width: 'narrow',
    more_after: 3,
    terms_url: 'https://shop.example.com/terms',
    privacy_url: 'https://shop.example.com/privacy',
    support_url: 'https://shop.example.com/help',
    imprint_url: 'https://shop.example.com/imprint',
  },
  strict: {
    light: { page: '#ffffff', card: '#ffffff', text: '#000000', accent: '#000000' },
    dark: { page: '#000000', card: '#000000', text: '#ffffff', accent: '#ffffff' },
    radius: 0,
    font: 'serif',
    card_position: 'end',
    buttons: 'grid',
    header: 'logo_and_name',
    logo,
    terms_url: 'https://shop.example.com/terms',
  },
}
