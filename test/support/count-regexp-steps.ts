import { setFlagsFromString } from 'node:v8'
import { vi } from 'vitest'

// V8 can stop a pattern after a number of backtracks, but offers that only to its own tests.
setFlagsFromString('--allow-natives-syntax')
const createLimitedRegExp = new Function(
  'source',
  'flags',
  'limit',
  'return %NewRegExpWithBacktrackLimit(source, flags, limit)',
) as (source: string, flags: string, limit: number) => RegExp

/**
 * Counts the characters that all regular expressions pass while a function runs, and their backtracks. The readers do
 * everything with regular expressions, so the number grows with slow patterns, repeated passes and recursion. It is the
 * same on every machine, to a tenth.
 */
export function countRegExpSteps(run: () => void): number {
  let steps = 0
  const { exec } = RegExp.prototype
  // Optimized code depends on the first text that a pattern sees, so its number of backtracks varies.
  setFlagsFromString('--no-regexp-optimization')
  const spy = vi.spyOn(RegExp.prototype, 'exec').mockImplementation(function (this: RegExp, text) {
    const start = this.global || this.sticky ? this.lastIndex : 0
    const match = exec.call(this, text)
    const end = match ? match.index + match[0].length : hasOnePosition(this) ? start : text.length
    steps += 1 + end - start + countBacktracks({ exec, pattern: this, text, start })
    return match
  })
  try {
    run()
  } finally {
    spy.mockRestore()
    setFlagsFromString('--regexp-optimization')
  }
  return steps
}

/** Whether the pattern is tried at one position only. */
const hasOnePosition = ({ sticky, multiline, source }: RegExp) =>
  sticky || (!multiline && source.startsWith('^'))

/** Each limit is a tenth higher than the one before. */
const LIMITS = Array.from({ length: 200 }, (_, level) => Math.ceil(10 * 1.1 ** level))

/** By flags and source: many patterns are created again for each text. */
const limitedPatterns = new Map<string, RegExp[]>()
/** Saves reading the source of long patterns. */
const limitedPatternsOf = new WeakMap<RegExp, RegExp[]>()

type Execution = { exec: RegExp['exec']; pattern: RegExp; text: string; start: number }

function findLimitedPatterns(pattern: RegExp): RegExp[] {
  const key = `${pattern.flags} ${pattern.source}`
  const patterns = limitedPatterns.get(key) ?? []
  limitedPatterns.set(key, patterns)
  limitedPatternsOf.set(pattern, patterns)
  return patterns
}

/** A pattern that needs few backtracks is found sooner, and one that needs many is run less often. */
const LEVELS_PER_STEP = 8

/** Finds the lowest limit that lets the pattern finish. */
function countBacktracks({ exec, pattern, text, start }: Execution): number {
  const patterns = limitedPatternsOf.get(pattern) ?? findLimitedPatterns(pattern)
  const isEnough = (level: number) => {
    let limited = patterns[level]
    if (!limited) {
      // The last alternative always matches, so only a pattern that was stopped doesn't.
      const source = `(?:${pattern.source})|${hasOnePosition(pattern) ? '' : '(?![^])'}`
      limited = createLimitedRegExp(source, pattern.flags, LIMITS[level] ?? 0)
      patterns[level] = limited
      exec.call(limited, '') // The first execution is interpreted, which takes other steps than the compiled code.
    }
    limited.lastIndex = start
    return exec.call(limited, text) !== null
  }
  if (isEnough(0)) return 0
  let [tooLow, enough] = [0, LEVELS_PER_STEP]
  while (enough < LIMITS.length - 1 && !isEnough(enough))
    [tooLow, enough] = [enough, enough + LEVELS_PER_STEP]
  while (enough - tooLow > 1) {
    const middle = Math.floor((tooLow + enough) / 2)
    if (isEnough(middle)) enough = middle
    else tooLow = middle
  }
  return LIMITS[enough] ?? 0
}
