import type { Problem } from './docs/problem.ts'

/** A machine, as a text may name it. */
export interface Machine {
  /** The root of the repository. */
  readonly root: string
  readonly home: string
}

const registry = /\b(?:registry|npm)\.[\w-]+\.(?:com|dev|io|net|org)\b/i

/** The lines of a file that name this machine or a package registry, or where a lockfile says whence it downloads. */
export function findLeaks(file: string, text: string, { root, home }: Machine): Problem[] {
  const places = [root, `${home}/`].filter(path => path.length > 1)
  return text.split('\n').flatMap((content, index) => {
    const problem = (expected: string, found: string) => [{ file, line: index + 1, expected, found }]
    const place = places.find(path => content.includes(path))
    if (place !== undefined) return problem('no path of this machine', place)
    const [host] = registry.exec(content) ?? []
    if (host !== undefined) return problem('no address of a registry', host)
    const downloads = file.endsWith('pnpm-lock.yaml') && /\btarball:/.test(content)
    return downloads ? problem('a lockfile that names no downloads', content.trim()) : []
  })
}
