/** Lets `width` tasks run at a time, the others in the order of their arrival. */
export function createGate(width: number): <T>(task: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let running = 0
  return async task => {
    if (running < width) running++
    else await new Promise<void>(resolve => waiting.push(resolve))
    try {
      return await task()
    } finally {
      const next = waiting.shift()
      // The place passes on without being given up, so that nobody who arrives meanwhile can take it.
      if (next) next()
      else running--
    }
  }
}
