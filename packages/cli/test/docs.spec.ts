import { expect, it } from 'vitest'
import { renderDocsPage } from './support/docs-page.js'

it('keeps docs/cli.md in step with the commands', async () => {
  await expect(await renderDocsPage()).toMatchFileSnapshot('../../../docs/cli.md')
})
