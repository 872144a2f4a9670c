/**
 * The words without what carries no meaning: Slack's marks, emoji, invisible and direction characters, odd spaces and
 * quotes, and accents. Private-use characters go too: the pipeline marks with them what it has read.
 */
export function clean(text: string): string {
  return text
    .normalize('NFKC')
    .slice(0, 4000) // one character may stand for eighteen
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/&(gt|lt|amp);/g, (_all, name) => ({ gt: '>', lt: '<', amp: '&' })[name as string] ?? ' ')
    .replace(/\bhttps?:\/\/\S+/gi, ' link ')
    .replace(/\p{Cc}|\p{Z}/gu, ' ')
    .replace(/[\p{Cf}\p{Co}\p{Cs}\p{Cn}]/gu, '')
    .replace(/<(?:[@#!][^<>]*)>/g, ' ')
    .replace(/(?<![\w:]):[a-z][a-z0-9_+-]*:(?![\w:])/gi, ' ')
    .replace(/\p{Extended_Pictographic}|\p{RI}/gu, ' ')
    .replace(/[‘’ʼ]/g, "'")
    .replace(/~(?=\s*\d)/g, ' about ')
    .replace(/[*~`"“”„«»>•|·]/g, ' ')
    .replace(/(?<=^|\s)_+|_+(?=\s|$)/g, ' ')
    .replace(/[‐‑–—−]/g, '-')
    .replace(/[()[\]{}]/g, ' ')
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .trim()
}
