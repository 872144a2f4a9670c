/** Leaves this process hardly any time until the returned function is called. */
export function keepBusy(): () => void {
  let isBusy = true
  const spin = () => {
    const until = performance.now() + 20
    while (performance.now() < until);
    if (isBusy) setTimeout(spin, 1)
  }
  spin()
  return () => {
    isBusy = false
  }
}
