import type { Texts } from '../texts.ts'

const from_application =
  'アプリケーションに戻って、もう一度お試しください。同じ画面が表示される場合は、この内容をアプリケーションの運営者にお知らせください。'
const start_again = 'アプリケーションに戻って、もう一度ログインしてください。'

export const ja: Texts = {
  request_id: 'リクエストID',
  pages: {
    client_id_invalid: {
      heading: 'このリンクからはログインできません',
      message: 'client_id is invalid.',
      advice: from_application,
    },
    redirect_uri_invalid: {
      heading: 'このリンクからはログインできません',
      message: 'redirect_uri is invalid.',
      advice: from_application,
    },
    provider_invalid: {
      heading: 'このリンクからはログインできません',
      message: 'login_provider または login_provider_identifier が正しくないか、この設定が無効になっています。',
      advice: from_application,
    },
    provider_unavailable: {
      heading: 'このログイン方法は利用できません',
      message: 'この login_provider でのログインには対応していません。',
      advice: 'アプリケーションに戻って、別のログイン方法を選んでください。',
    },
    no_provider: {
      heading: 'ログイン方法がありません',
      message: 'このサイトには、設定済みで有効なログインプロバイダーがありません。',
      advice: 'アプリケーションに戻り、この内容を運営者にお知らせください。',
    },
    parameters_malformed: {
      heading: 'このリンクからはログインできません',
      message: 'パラメーターを読み取れません。長すぎるか、多すぎるか、エンコードが正しくありません。',
      advice: from_application,
    },
    login_ended: {
      heading: 'このログインは終了しています',
      message: 'すでに完了しているか、時間がかかりすぎました。',
      advice: start_again,
    },
    other_browser: {
      heading: 'ここではログインを続けられません',
      message: '別のブラウザーで開始されたか、有効期限が切れたか、このブラウザーでCookieが保存されていません。',
      advice: 'このサイトのCookieを許可してからアプリケーションに戻り、同じブラウザーで最初からログインしてください。',
    },
    other_provider: {
      heading: 'ここではログインを続けられません',
      message: '別のログインプロバイダーで開始されたログインです。',
      advice: start_again,
    },
    site_invalid: {
      heading: 'このリンクは利用できません',
      message:
        'アドレスに含まれるアカウント、サイト、ログインプロバイダーのいずれかが正しくないか、設定が無効になっています。',
      advice: from_application,
    },
    callback_invalid: {
      heading: 'このリンクは利用できません',
      message: 'callback が正しくありません。',
      advice: from_application,
    },
    post_logout_redirect_uri_invalid: {
      heading: 'このリンクからはログアウトできません',
      message: 'post_logout_redirect_uri is invalid.',
      advice: `まだログアウトしていません。${from_application}`,
    },
    form_invalid: {
      heading: '確認できませんでした',
      message: 'この確認は、確認画面から送信されたものではありません。',
      advice: 'アカウントは連携されていません。アプリケーションに戻って、最初からやり直してください。',
    },
    bad_request: {
      heading: 'このリクエストは読み取れません',
      message: 'リクエストの形式が正しくありません。',
      advice: start_again,
    },
    not_found: {
      heading: 'ページが見つかりません',
      message: 'このアドレスのページは存在しないか、アドレスの一部が欠けています。',
      advice: 'アドレスを確認するか、元のアプリケーションに戻ってください。',
    },
    method_not_allowed: {
      heading: 'この方法ではページを開けません',
      message: 'このHTTPメソッドは利用できません。',
      advice: start_again,
    },
    too_many_logins: {
      heading: 'ログインの回数が多すぎます',
      message: 'このアドレスから開始されたログインの回数が上限を超えました。',
      advice: '1分ほど待ってからアプリケーションに戻り、もう一度ログインしてください。',
    },
    unavailable: {
      heading: 'ただいまご利用いただけません',
      message: 'サービスを一時的に利用できません。',
      advice: 'しばらく待ってからアプリケーションに戻り、もう一度お試しください。',
    },
    defect: {
      heading: 'エラーが発生しました',
      message: 'サーバーの内部でエラーが発生しました。',
      advice:
        'しばらく待ってからアプリケーションに戻り、もう一度ログインしてください。同じ画面が表示される場合は、下のリクエストIDをアプリケーションの運営者にお知らせください。',
    },
  },
  choice: {
    heading: (application) => `${application} にログイン`,
    explanation: 'ログインに使うアカウントを選んでください。',
    way: (provider) => `${provider} で続ける`,
  },
  confirmation: (provider) => ({
    heading: `${provider} のアカウントを連携しますか？`,
    promise: '連携すると、そのアカウントでもログインできるようになります。',
    application: 'アプリケーション',
    account: 'ご利用中のアカウント',
    linked: '連携するアカウント',
    linked_account: `次の画面でログインする ${provider} のアカウント`,
    caution:
      '表示されているアカウントがご自身のもので、ご自身でこの操作を始めた場合に限り、続けてください。ほかの人に案内されてこの画面を開いた場合は、キャンセルしてください。そのアカウントの持ち主に、連携したアカウントを使われてしまいます。',
    go: `${provider} に進む`,
    cancel: 'キャンセル',
  }),
  logout: {
    question: {
      heading: (application) =>
        application === undefined ? 'ログアウトしますか？' : `${application} からログアウトしますか？`,
      explanation: 'この端末をほかの人と共有している場合は、ご利用後にログアウトしてください。',
      provider: (provider) =>
        `${provider} でログインしています。ここでログアウトしても、${provider} からはログアウトされません。`,
      go: 'ログアウト',
      stay: 'ログインしたままにする場合は、この画面を閉じてください。',
    },
    ended: {
      heading: 'ログアウトしました',
      provider: (provider) =>
        `${provider} にはログインしたままの場合があります。この端末をほかの人と共有している場合は、${provider} からもログアウトしてください。`,
      any_provider:
        'LINEやGoogleなど、ログインに使ったアカウントにはログインしたままの場合があります。この端末をほかの人と共有している場合は、そのアカウントからもログアウトしてください。',
    },
  },
  deletion: (provider) => ({
    heading: 'データを削除しました',
    done: `${provider} から提供されたお客様の情報と、お客様の ${provider} アカウントへのアクセス権は、当サービスに保存されていません。`,
    rest: 'ログイン先のアプリケーションのアカウントは、この削除の対象ではありません。そのアカウントの削除は、アプリケーションの運営者にご依頼ください。',
    completed: '完了日時',
    code: '確認コード',
  }),
}
