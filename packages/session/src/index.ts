// `export *` and not named exports: declaration merging on `@dsh/session` reaches an interface only through a star export.
export * from './error.js'
export * from './event.js'
export * from './fold.js'
export * from './header.js'
export * from './request.js'
export * from './row.js'
export * from './todo.js'
export * from './turn.js'
