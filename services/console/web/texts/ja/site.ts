import type { Texts } from '../en/index.ts'

export const accounts: Texts['accounts'] = {
  about: 'アカウントには、会社のサイトと、それを管理するメンバーが属します。',
  account: 'アカウントID',
  account_hint: 'アドレスの一部になり、Web API でも返されます。後から変更できません。',
  name_hint: '表示用の名前(例:「株式会社サンプル」)',
  create: 'アカウントを作成',
  empty: 'どのアカウントのメンバーでもありません。オーナーに招待を依頼してください。',
  empty_operator: 'アカウントがまだありません。最初のアカウントを作成してください。',
}

export const sites: Texts['sites'] = {
  of: (account) => `${account}のサイト`,
  about:
    'ユーザー、キー、クライアント、ログインプロバイダーはサイトごとに分かれます。開発と本番は別のサイトにしてください。',
  site_id: 'サイトID',
  site_id_hint: 'アドレスの一部になり、Web API でも返されます。後から変更できません。',
  name_hint: '表示用の名前(例:「オンラインショップ」)',
  kind: '種別',
  development_says: 'このマシン上の http や、アプリ独自のスキームのコールバックURLも登録できます',
  production_says: 'コールバックURLは https のみ登録できます',
  create: 'サイトを作成',
  rename: 'アカウント名を変更',
  empty: 'サイトがまだありません。作成すると、概要ページに次の手順が表示されます。',
}

export const overview: Texts['overview'] = {
  about: '現在の構成と、ログインを始めるために残っている手順です。',
  steps: '次の手順',
  steps_about: '上から順に進めてください。それぞれ数分で終わります。',
  all_done: 'すべて完了しました。利用者はログインでき、サーバーはユーザー情報を取得できます。',
  done: '完了',
  client: 'クライアントを作成する',
  client_why: 'アプリケーションと、ログイン後に利用者が戻るアドレスを登録します。',
  provider: 'ログインプロバイダーを設定する',
  provider_why: 'プロバイダーにサービスを登録して得た値を入力します。場所はページ内で案内します。',
  login: 'ログインを試す',
  login_why: '実際の手順で、あなた自身が最初のユーザーになります。',
  key: 'APIキーを発行する',
  key_why: 'サーバーからユーザーを照会したり、自社のIDと対応付けたりできます。',
  at_a_glance: '現在の状況',
  users: 'ユーザー',
  live_keys: '有効なAPIキー',
  clients: 'クライアント',
  live_providers: '使用中のログインプロバイダー',
  calls_last_hour: '直近1時間の呼び出し',
  expiring: (provider, when) =>
    `${provider}のシークレットは${when}に期限切れになります。プロバイダーで更新し、新しい値を入力してください。`,
  expired: (provider, when) =>
    `${provider}のシークレットは${when}に期限切れになりました。ログインに失敗する可能性があります。プロバイダーで更新し、新しい値を入力してください。`,
  site_id: 'サイトID',
  web_api_asks: 'Web API の appinfo が返す値',
}

export const settings: Texts['settings'] = {
  title: '設定',
  about: '変更は1秒以内に全体へ反映されます。',
  general: '全般',
  domains: 'ドメイン',
  domains_hint: 'コールバックURLに使えるホスト名(1行に1つ)。サブドメインも含みます。空の場合は制限しません。',
  kind: '種別',
  login_history_days: 'ログイン履歴の保存日数',
  login_history_days_hint: '空の場合は、ユーザーが存在する間保存されます。古い履歴は削除されます。',
  login_buttons: 'ログインボタン',
  login_buttons_about:
    'ログイン画面でのログインプロバイダーの並び順と表示名です。表示名を設定しない場合は、プロバイダー公式の文言を表示します。',
  button_order: 'ボタンの並び順',
  button_name: { en: '英語の表示名', ja: '日本語の表示名' },
  move_up: (provider) => `${provider}を上へ移動`,
  move_down: (provider) => `${provider}を下へ移動`,
  contract: '契約',
  contract_about: '運用担当者のみ変更できます。',
  requests_per_window: 'Web API の呼び出し上限(1分あたり)',
  fixed_address_option: '固定アドレスオプション: 別のベースアドレスでも Web API を利用できます',
  storage: 'プロフィールの保存項目',
  storage_about: 'プロバイダーごとの設定です。チェックを外した項目は今後保存されず、保存済みの値は削除されます。',
  storage_warning:
    'チェックを外した項目は、このサイトの全ユーザーについて削除されます。利用者が再度ログインするまで戻りません。',
  storage_delete_title: '保存済みの値を削除しますか?',
  storage_delete: (provider, items) => `${provider}: ${items}`,
  not_stored_of: (provider) => `${provider}の保存しない項目`,
  clearing: (users) => `保存対象外になった値を削除しています(${users}人まで確認済み)。`,
  storage_delete_confirm: '保存して削除',
  stored: (kept, all) => `${all}項目中${kept}項目を保存`,
  all: 'すべて',
  other_items: '現在このプロバイダーが提供していない項目',
  items: { follow: 'フォロー数', email: 'メールアドレス', phone: '電話番号' },
}
