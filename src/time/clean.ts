/**
 * The words without what carries no meaning: Slack's marks, emoji, invisible and direction characters, odd spaces and
 * quotes. Private-use characters go too: the pipeline marks with them what it has read.
 */
export function clean(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/\bhttps?:\/\/\S+/gi, ' link ')
    .replace(/\p{Cc}|\p{Zs}/gu, ' ')
    .replace(/[\p{Cf}\p{Co}\p{Cs}\p{Cn}]/gu, '')
    .replace(/<(?:[@#!][^<>]*)>/g, ' ')
    .replace(/(?<![\w:]):[a-z][a-z0-9_+-]*:(?![\w:])/gi, ' ')
    .replace(/\p{Extended_Pictographic}/gu, ' ')
    .replace(/\ufe0f/g, '')
    .replace(/[‘’ʼ´]/g, "'")
    .replace(/[*~`"“”„«»>]|(?<=^|\s)_|_(?=\s|$)/g, ' ')
    .replace(/[‐‑–—−]/g, '-')
    .replace(/[()[\]{}]/g, ' ')
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .trim()
}
