/** Splits a command line as a shell does, as far as the examples go: spaces, and quotes of either kind. */
export function splitWords(command: string): string[] {
  return [...command.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, single, double, plain]) => single ?? double ?? plain!,
  )
}
