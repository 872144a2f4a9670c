/** One input, in a form that is printed if it fails. */
export type Input = { description: string; run: () => Promise<Result> }

/** What came back, such as a status, and whether that is a fault. */
export type Result = {
  outcome: string
  isFault?: boolean
  /** Set if the time that it takes is not the time of the program. */
  mayBeSlow?: boolean
}

/** What the fuzzer sends its inputs to. The inputs depend on nothing but the seed and the records that exist. */
export type Target = { name: string; concurrency: number; createInput: () => Input }
