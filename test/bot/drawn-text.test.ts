import sharp from 'sharp'
import { expect, it } from 'vitest'
import { configureImageFonts, drawPng, svgDocument, svgText } from '../../src/bot/slack/images/svg.ts'

it('draws the text of an image in the font that comes with Upnext, regular and bold', async () => {
  configureImageFonts()
  const draw = (isBold: boolean) =>
    drawPng(svgDocument(300, 80, svgText(20, 60, 'WWWW', { size: 40, isBold })))
  const widthOf = async (png: Buffer) => {
    // The corners of an image are round.
    const inner = { left: 12, top: 12, width: 276, height: 56 }
    const { info } = await sharp(await sharp(png).extract(inner).toBuffer())
      .trim()
      .toBuffer({ resolveWithObject: true })
    return info.width
  }
  // In DejaVu Sans, a W is 0.989 of the font size wide, and a bold one 1.103.
  expect(await widthOf(await draw(false))).toBeGreaterThan(150)
  expect(await widthOf(await draw(false))).toBeLessThan(162)
  expect(await widthOf(await draw(true))).toBeGreaterThan(170)
  expect(await widthOf(await draw(true))).toBeLessThan(180)
})

it('draws image text with characters that XML cannot contain', async () => {
  const text = svgText(20, 60, 'A\u0000B\u001b\uffff\ud800C', { size: 40 })
  await expect(drawPng(svgDocument(300, 80, text))).resolves.toBeInstanceOf(Buffer)
})
