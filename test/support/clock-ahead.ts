/** The settings with which a program sees a machine's clock that is ahead by `ms`. */
export function clockAhead(ms: number): { NODE_OPTIONS: string } {
  const module = `
    const MachineDate = Date
    globalThis.Date = class extends MachineDate {
      constructor(...args) {
        super(...(args.length ? args : [MachineDate.now() + ${ms}]))
      }
      static now() {
        return MachineDate.now() + ${ms}
      }
    }`
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(module)}` }
}
