/** An array that throws at every touch. */
export function revoked(): never[] {
  const { proxy, revoke } = Proxy.revocable([], {})
  revoke()
  return proxy as never[]
}

/** A value that has no text: neither `String` nor a template takes it. JSON can hold the like. */
export const textless = { toString: 'no function', valueOf: 'no function' }

/** An object whose property `key` throws something that has no text when it is read. */
export function throwing(key: string): object {
  return Object.defineProperty({}, key, {
    enumerable: true,
    get() {
      throw textless
    },
  })
}
