/** What is wrong with a text that is no JSON, and where: as Python's parser tells it, whose words FastAPI passes on. */
export type JsonFault = { position: number; error: string }

export function findJsonFault(text: string): JsonFault {
  let at = 0
  const space = () => {
    while (/[ \t\n\r]/.test(text[at] ?? '')) at++
  }
  const fault = (error: string, position = at): JsonFault => ({ position, error })

  const value = (): JsonFault | undefined => {
    const char = text[at]
    if (char === '{') return members('}', member)
    if (char === '[') return members(']', value)
    if (char === '"') return string()
    const plain = /(?:null|true|false|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)/y
    plain.lastIndex = at
    const found = plain.exec(text)
    if (!found) return fault('Expecting value')
    at += found[0].length
    return undefined
  }

  const members = (end: string, one: () => JsonFault | undefined): JsonFault | undefined => {
    at++
    space()
    if (text[at] === end) return void at++
    for (;;) {
      const wrong = one()
      if (wrong) return wrong
      space()
      if (text[at] === end) return void at++
      if (text[at] !== ',') return fault("Expecting ',' delimiter")
      at++
      space()
    }
  }

  const member = (): JsonFault | undefined => {
    if (text[at] !== '"') return fault('Expecting property name enclosed in double quotes')
    const wrong = string()
    if (wrong) return wrong
    space()
    if (text[at] !== ':') return fault("Expecting ':' delimiter")
    at++
    space()
    return value()
  }

  const string = (): JsonFault | undefined => {
    const start = at++
    for (; at < text.length; at++) {
      const char = text[at] as string
      if (char === '"') return void at++
      if (char < ' ') return fault('Invalid control character at')
      if (char !== '\\') continue
      at++
      if (text[at] === 'u' && !/^[\da-f]{4}$/i.test(text.slice(at + 1, at + 5)))
        return fault('Invalid \\uXXXX escape', at + 1)
      if (text[at] && !'"\\/bfnrtu'.includes(text[at] as string)) return fault('Invalid \\escape', at - 1)
    }
    return fault('Unterminated string starting at', start)
  }

  space()
  const wrong = value()
  if (wrong) return wrong
  space()
  return fault('Extra data')
}
