import { expect, it } from 'vitest'
import { findEmoji, findEmojiName, replaceEmojiNames } from '../emoji.ts'

/** An emoji with all selectors that Unicode asks for. */
const COMPLETE_EMOJI = String.raw`^\p{RGI_Emoji}$`

it.each([
  ['tada', '🎉'],
  ['+1', '👍'],
  ['thumbsup', '👍'],
  ['heart', '❤️'],
  ['one', '1️⃣'],
  ['de', '🇩🇪'],
  ['flag-de', '🇩🇪'],
  ['slightly_smiling_face', '🙂'],
  ['woman-running', '🏃‍♀️'],
  ['wave::skin-tone-2', '👋🏻'],
  ['v::skin-tone-6', '✌🏿'],
  ['female-detective::skin-tone-4', '🕵🏽‍♀️'],
  ['skin-tone-3', '🏼'],
])('finds the emoji named %s', (name, emoji) => {
  expect(findEmoji(name)).toBe(emoji)
  expect(emoji).toMatch(new RegExp(COMPLETE_EMOJI, 'v'))
  expect(findEmoji(findEmojiName(emoji) ?? '')).toBe(emoji)
})

it('replaces only names of emoji', () => {
  expect(replaceEmojiNames('Sale:50:tada: 10:100:15 :nothing:tada: re: sale: 50%')).toBe(
    'Sale:50🎉 10:100:15 :nothing🎉 re: sale: 50%',
  )
})
