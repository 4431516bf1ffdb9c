/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { PagePreferences } from './preferences.tsx'
import { useSignInTexts } from './texts.tsx'

/** Layout of the pages before sign-in. */
export function Frame({
  title,
  heading = title,
  children,
}: {
  title: string
  heading?: string
  children: ComponentChildren
}) {
  const { common } = useSignInTexts()
  useEffect(() => {
    document.title = `${title} – ${common.console}`
  }, [title, common])
  return (
    <>
      <header>
        <a href="/" class="brand">
          <img src="/icon.svg" alt="" width={28} height={28} />
          {common.console}
        </a>
        <PagePreferences />
      </header>
      <main>
        <div class="card stack">
          <h1>{heading}</h1>
          {children}
        </div>
      </main>
    </>
  )
}
