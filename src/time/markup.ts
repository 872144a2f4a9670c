/** Names of emoji in Slack: ":party-parrot:", ":+1:", ":wave::skin-tone-2:" */
export const EMOJI_NAMES = String.raw`(?<![\w:])(?::(?:[a-z][a-z\d_+'-]*|\d[a-z_][a-z\d_-]*|[+-]1|100):)+(?![\w:])`
/** An emoji with its skin tone and other modifiers, a flag, or a keycap such as 3️⃣. */
const EMOJI_CHARACTER = String.raw`\p{RI}{2}|[\d#*]\u{fe0f}?\u{20e3}|\p{Extended_Pictographic}[\u{200d}\u{fe0f}\u{1f3fb}-\u{1f3ff}\u{e0020}-\u{e007f}]*`
/** A mention of a person, a group or a channel. */
const MENTION = '<[@#!][^<>]*>'

/** An emoji or a mention. The pattern is for regular expressions with the flags "i" and "u". */
export const EMOJI_OR_MENTION = `(?:${EMOJI_NAMES}|${EMOJI_CHARACTER}|${MENTION})`

/** An arrow between the text of a post and the rest of a command: "Text >> X, 9am", "Post on X → Text" */
export const ARROW = '(?:>>|[-=]>|[→▸►➔])'
