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
    projects: [
      {
        extends: true,
        test: {
          name: 'workspace',
          include: ['packages/*/test/**/*.spec.ts', 'examples/*/test/**/*.spec.ts', 'scripts/test/**/*.spec.ts'],
          exclude: ['packages/cli/**'],
          isolate: true,
        },
      },
      {
        extends: true,
        // Each file would load most packages anew, which takes longer than its tests. What they change, they put back.
        test: { name: 'cli', include: ['packages/cli/test/**/*.spec.ts'], isolate: false },
      },
    ],
    environment: 'node',
    pool: 'forks',
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
