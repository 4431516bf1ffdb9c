import { Alert, Badge, Button, createTheme, MantineProvider, Menu, Modal, Table } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { type ComponentProps, lazy, Suspense } from 'react'
import { ConfirmationDialog } from './admin/confirmation-dialog.tsx'
import { queryClient } from './admin/queries.ts'
import { Pages } from './pages/index.tsx'
import { TextsProvider } from './texts/index.tsx'

/** Loaded after the page. */
const Notifications = lazy(async () => ({ default: (await import('@mantine/notifications')).Notifications }))

const theme = createTheme({
  primaryColor: 'cyan',
  primaryShade: 9,
  autoContrast: true,
  defaultRadius: 'md',
  /** In addition to those of the library: wide screens, where forms and lists are side by side. */
  breakpoints: { xxl: '112em' },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    // The background shows the kind of alert; the title has the contrast of normal text.
    Alert: Alert.extend({ styles: { title: { color: 'var(--mantine-color-text)' } } }),
    Badge: Badge.extend({
      defaultProps: { tt: 'none', fw: 600 },
      // Never truncated, even in narrow columns.
      styles: { root: { minWidth: 'max-content', color: 'var(--mantine-color-text)' } },
    }),
    // Under the pointer the background is darker, so the label has the color of normal text.
    Button: Button.extend({
      vars: (_, { variant }) => ({
        root: variant === 'light' ? { '--button-hover-color': 'var(--mantine-color-text)' } : {},
      }),
    }),
    // The placeholder is not a menu item, which ARIA does not allow in a menu.
    Menu: Menu.extend({ defaultProps: { withInitialFocusPlaceholder: false } }),
    Modal: Modal.extend({ styles: { title: { fontWeight: 600 } } }),
    TableScrollContainer: Table.ScrollContainer.extend({ defaultProps: { type: 'native' } }),
  },
  fontFamily: 'var(--console-font-family)',
})

/** Style elements created at run time need the nonce of the Content Security Policy. */
const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''
// The scroll lock of Mantine's dialogs reads the nonce from this global.
Object.assign(globalThis, { __webpack_nonce__: nonce })

export function ConsoleApp({ spoken: texts }: { spoken: ComponentProps<typeof TextsProvider>['first'] }) {
  return (
    <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={() => nonce}>
      <TextsProvider first={texts}>
        <QueryClientProvider client={queryClient}>
          <Suspense>
            <Notifications position="bottom-right" />
          </Suspense>
          <Suspense>
            <Pages />
          </Suspense>
          <ConfirmationDialog />
        </QueryClientProvider>
      </TextsProvider>
    </MantineProvider>
  )
}
