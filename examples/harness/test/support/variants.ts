/** A way to run the harness. */
export interface Variant {
  readonly backend: 'jsonl' | 'sqlite'
  /** What is done about broken rules. */
  readonly rules: 'throw' | 'off'
}

const quick: readonly Variant[] = [
  { backend: 'jsonl', rules: 'throw' },
  { backend: 'sqlite', rules: 'off' },
]

/** The ways that tests with processes try: each backend and each mode, and all pairs where there is time. */
export const variants: readonly Variant[] =
  process.env.DSH_FULL === undefined
    ? quick
    : [...quick, { backend: 'jsonl', rules: 'off' }, { backend: 'sqlite', rules: 'throw' }]
