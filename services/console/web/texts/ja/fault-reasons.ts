import type { Texts } from '../en/index.ts'

export const fault_reasons: Texts['fault_reasons'] = {
  missing: '必須パラメーターがないか、空です。',
  user_missing: 'identifierとprimary_keyのどちらも送られていません。',
  repeated: 'パラメーターが2回以上送られました。',
  bad_encoding: 'パーセントエンコーディングが壊れているか、NULまたはUTF-8ではないバイトが含まれています。',
  too_long: 'クエリまたはフォームが16384バイトを超えています。',
  too_many_parameters: 'パラメーターが64個を超えています。',
  incomplete: '本文が途中で終わりました。',
  not_a_form: '本文がapplication/x-www-form-urlencodedではありません。',
  wrong_format: '値の形式がパラメーターの形式と異なります。',
  unknown_value: '値がパラメーターで指定できる値のいずれでもありません。',
  out_of_range: '数値が小さすぎるか、大きすぎます。',
  users_differ: 'identifierとprimary_keyが別々のユーザーを指しています。',
  same_user: '統合元と統合先が同じユーザーです。',
  linked_to_another_user: 'プロバイダーのアカウントは別のユーザーに連携されています。',
  cursor_with_page: 'cursorとpageが同時に送られました。',
  cursor_invalid: 'cursorが変更されているか、別のパラメーターのものです。',
  cursor_expired: 'cursorの発行から24時間を過ぎています。',
  idempotency_key_malformed: 'Idempotency-Keyが1〜255文字の印字可能なASCII文字ではないか、2回送られました。',
  idempotency_key_reused: 'このIdempotency-Keyは別のリクエストで使用済みです。',
}
