import { accessSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { PACKAGE_FOLDER } from '../../../package-folder.ts'
import { isPlatform, type Platform } from '../../../platforms/platform-names.ts'
import { escapeText } from '../message-blocks.ts'

// A dark background suits both of Slack's themes. All text colors have a contrast of at least 4.5 on it.
const BACKGROUND_COLOR = '#1f2b33'
export const TEXT_COLOR = '#f2f5f7'
export const FAINT_TEXT_COLOR = '#a3b1bb'
export const LINE_COLOR = '#3f4f5a'
export const ALERT_COLOR = '#ff9d8f'
export const TODAY_COLOR = '#7cd9b5'

export const svgDocument = (width: number, height: number, content: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" font-family="DejaVu Sans" fill="${TEXT_COLOR}">` +
  `<rect width="${width}" height="${height}" rx="12" fill="${BACKGROUND_COLOR}"/>${content}</svg>`

const FONT_CONFIG_PATH = join(PACKAGE_FOLDER, 'src/bot/slack/images/fonts.conf')

/**
 * Makes images look the same on every machine. Must run before the first image is drawn, because FONTCONFIG_FILE is only
 * read then.
 */
export function configureImageFonts(): void {
  // Without the file, text would silently be drawn in other fonts, or not at all.
  accessSync(FONT_CONFIG_PATH)
  process.env.FONTCONFIG_FILE = FONT_CONFIG_PATH
}

/** Draws and compresses the image outside the main thread. */
export const drawPng = (svg: string): Promise<Buffer> =>
  sharp(Buffer.from(svg)).png({ compressionLevel: COMPRESSION_LEVEL }).toBuffer()

/** The highest level takes three times as long and makes the image only a tenth smaller. */
const COMPRESSION_LEVEL = 4

/** XML can't contain control characters. */
const withoutControlCharacters = (text: string): string =>
  text.replace(/[\p{Cc}\uFFFE\uFFFF]/gu, '').toWellFormed()

type TextStyle = { size: number; color?: string; isBold?: boolean; anchor?: 'start' | 'middle' | 'end' }

export function svgText(x: number, y: number, text: string, style: TextStyle): string {
  const { size, color = TEXT_COLOR, isBold = false, anchor = 'start' } = style
  const weight = isBold ? ' font-weight="bold"' : ''
  return `<text x="${x}" y="${y}" font-size="${size}" fill="${color}"${weight} text-anchor="${anchor}">${escapeText(withoutControlCharacters(text))}</text>`
}

/** The font has glyphs for these scripts. Everything else would be drawn as empty boxes. */
const UNDRAWABLE =
  /[^\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{sc=Armenian}\p{sc=Georgian}\p{sc=Hebrew}\p{sc=Arabic}\p{Nd}\p{P}\p{Zs}$+<=>|~^€£¥©®°]/gu

export const removeUndrawable = (text: string): string =>
  text.replace(/\s+/g, ' ').replace(UNDRAWABLE, '').trim()

/** The average width of a character, as a share of the font size. */
const CHARACTER_WIDTH = 0.6

export const maxTextLength = (width: number, size: number): number =>
  Math.floor(width / (size * CHARACTER_WIDTH))

/** Cuts text to this width. Text in a script that the font lacks isn't drawn, but the alternative text contains it. */
export function truncateToWidth(text: string, width: number, size: number): string {
  const maxLength = maxTextLength(width, size)
  const drawable = [...removeUndrawable(text)]
  if (drawable.length <= maxLength) return drawable.join('')
  return `${drawable
    .slice(0, maxLength - 1)
    .join('')
    .trim()}…`
}

type PlatformStyle = { code: string; color: string }

/** Letters distinguish the platforms without color. The colors are dark enough for white letters. */
const PLATFORM_STYLES: Record<Platform, PlatformStyle> = {
  INSTAGRAM: { code: 'IG', color: '#a3195b' },
  FACEBOOK: { code: 'FB', color: '#0b57d0' },
  LINKEDIN: { code: 'IN', color: '#0a5a8a' },
  X: { code: 'X', color: '#000000' },
  YOUTUBE: { code: 'YT', color: '#b00020' },
  TIKTOK: { code: 'TT', color: '#3b3b58' },
  PINTEREST: { code: 'PI', color: '#8e1b1b' },
  REDDIT: { code: 'RE', color: '#a23b00' },
  TELEGRAM: { code: 'TG', color: '#00658a' },
  THREADS: { code: 'TH', color: '#444444' },
}
const OTHER_STYLE: PlatformStyle = { code: '?', color: '#5e5d60' }

export const platformStyle = (platform: string): PlatformStyle =>
  isPlatform(platform) ? PLATFORM_STYLES[platform] : OTHER_STYLE

const CHIP_PADDING = 4

/** Draws the letters of each platform in a row, followed by the number of platforms that don't fit. */
export function drawPlatformChips(platforms: string[], x: number, y: number, width: number, size: number) {
  let drawn = ''
  let end = x
  const letterWidth = size * 0.78
  for (const [index, platform] of platforms.entries()) {
    const { code, color } = platformStyle(platform)
    const chipWidth = code.length * letterWidth + CHIP_PADDING * 2
    const hiddenCount = platforms.length - index
    const overflowLabelWidth = hiddenCount > 1 ? size * 1.6 : 0
    if (end + chipWidth + overflowLabelWidth > x + width)
      return drawn + svgText(end, y, `+${hiddenCount}`, { size, color: FAINT_TEXT_COLOR })
    drawn += `<rect x="${end}" y="${y - size}" width="${chipWidth}" height="${size + 5}" rx="3" fill="${color}"/>`
    drawn += svgText(end + chipWidth / 2, y, code, { size, color: '#fff', isBold: true, anchor: 'middle' })
    end += chipWidth + 3
  }
  return drawn
}
