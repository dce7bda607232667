import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const packages = fileURLToPath(new URL('./packages/', import.meta.url))

export default defineConfig({
  resolve: {
    // Specs run on the sources; only child processes and packed packages use `dist`.
    alias: [
      {
        find: /^@dsh\/([^/]+)(?:\/([^/]+))?$/,
        replacement: '$1/$2',
        customResolver(id: string) {
          const [name, entry] = id.split('/') as [string, string | undefined]
          const file = `${packages}${name}/src/${entry || 'index'}.ts`
          return existsSync(file) ? file : null
        },
      },
    ],
  },
  test: {
    include: ['packages/*/test/**/*.spec.ts', 'examples/*/test/**/*.spec.ts', 'scripts/test/**/*.spec.ts'],
    environment: 'node',
    pool: 'forks',
    testTimeout: 20_000,
    coverage: {
      provider: 'v8',
      include: ['packages/*/src/**/*.ts'],
      reporter: ['text-summary', 'json-summary'],
      thresholds: { 'packages/session/src/**/*.ts': { lines: 98, branches: 98 } },
    },
  },
})
