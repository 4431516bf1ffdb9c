import type { DefaultTheme } from 'vitepress'

export const japaneseTheme: DefaultTheme.Config = {
  nav: [
    { text: '概要', link: '/ja/' },
    { text: '使う(英語)', link: '/use/' },
    { text: '運用する(英語)', link: '/operate/' },
    { text: '開発する(英語)', link: '/build/' },
  ],
  outline: { level: [2, 3], label: 'このページの内容' },
  docFooter: { prev: '前のページ', next: '次のページ' },
  darkModeSwitchLabel: '外観',
  lightModeSwitchTitle: 'ライトモードに切り替える',
  darkModeSwitchTitle: 'ダークモードに切り替える',
  sidebarMenuLabel: 'メニュー',
  returnToTopLabel: 'ページの先頭へ戻る',
  langMenuLabel: '言語を変更する',
  skipToContentLabel: '本文へ移動する',
  notFound: {
    title: 'ページが見つかりません',
    quote: 'アドレスが変わったか、ページが削除された可能性があります。',
    linkLabel: 'トップページへ移動する',
    linkText: 'トップページへ',
  },
}

export const japaneseSearch: Partial<DefaultTheme.LocalSearchOptions> = {
  translations: {
    button: { buttonText: '検索', buttonAriaLabel: '検索' },
    modal: {
      displayDetails: '詳細を表示',
      resetButtonTitle: '検索条件を消去',
      backButtonTitle: '検索を閉じる',
      noResultsText: '一致するページがありません',
      footer: {
        selectText: '選択',
        selectKeyAriaLabel: 'Enter',
        navigateText: '移動',
        navigateUpKeyAriaLabel: '上矢印',
        navigateDownKeyAriaLabel: '下矢印',
        closeText: '閉じる',
        closeKeyAriaLabel: 'Esc',
      },
    },
  },
}
