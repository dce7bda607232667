import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const packages = fileURLToPath(new URL('./packages/', import.meta.url))
const report = process.env.DSH_TEST_REPORT

export default defineConfig({
  plugins: [
    {
      // Specs run on the sources; only child processes and packed packages use `dist`.
      name: 'workspace-sources',
      enforce: 'pre',
      resolveId(id) {
        const [, name, entry = 'index'] = /^@dsh\/([^/]+)(?:\/([^/]+))?$/.exec(id) ?? []
        const file = `${packages}${name}/src/${entry}.ts`
        return name !== undefined && existsSync(file) ? file : null
      },
    },
  ],
  test: {
    include: ['packages/*/test/**/*.spec.ts', 'examples/*/test/**/*.spec.ts', 'scripts/test/**/*.spec.ts'],
    environment: 'node',
    pool: 'forks',
    isolate: true,
    testTimeout: 20_000,
    reporters: report === undefined ? ['default'] : ['default', ['json', { outputFile: report }]],
    coverage: {
      provider: 'v8',
      include: ['packages/*/src/**/*.ts'],
      reporter: ['text-summary', 'json-summary'],
      thresholds: { 'packages/session/src/**/*.ts': { lines: 98, branches: 98 } },
    },
  },
})
