import { type Session, SessionError } from '@dsh/session'
import { oneOf, option, type PluginConfig, pluginConfig } from '@dsh/session/config'
import { listen } from '@dsh/session-store'
import { Context, Service } from 'cordis'
import { coreRules, type Enclosure } from './core-rules.js'
import { namedRule } from './named-rule.js'
import { reportViolation } from './report-violation.js'
import type { InvariantRule } from './rule.js'
import { SessionWatch } from './session-watch.js'
import './events.js'

/** Configuration of {@link SessionInvariant}. */
export interface SessionInvariantConfig {
  /** `throw` refuses an append that breaks a rule; `report` lets it pass and tells. Default: `throw`. */
  readonly mode?: 'throw' | 'report'
  /** Where events may stand. Default: `execution`. */
  readonly enclosure?: Enclosure
  /** The sessions to watch; asked once for each, and a session for which it throws is not watched. Default: all. */
  readonly filter?: (session: Session) => boolean
}

/**
 * Enforces the relations between the events of every session in `ctx.sessions`, as the service `ctx.invariants`. Meant for
 * development and tests: what a correct harness writes breaks no rule.
 *
 * A log that is invalid when it is first seen, because it is older than the plugin or comes from elsewhere, is reported
 * once for each rule it breaks, in both modes; the rules then go on behind the damage.
 */
export class SessionInvariant extends Service<SessionInvariantConfig> {
  static readonly provide = 'invariants'
  static readonly inject = ['sessions']
  static readonly Config: PluginConfig<SessionInvariantConfig> = pluginConfig('@dsh/session-invariant', {
    mode: oneOf('throw', 'report'),
    enclosure: oneOf('execution', 'strict'),
    filter: option('a function', value => typeof value === 'function'),
  })

  // Properties and not private fields, because callers see services through a proxy.
  private readonly home: Context
  private readonly watch: SessionWatch

  constructor(ctx: Context, config: SessionInvariantConfig = {}) {
    super(ctx, SessionInvariant.provide)
    const { mode = 'throw', enclosure = 'execution', filter = () => true } = config
    const watch = new SessionWatch({
      rules: coreRules(enclosure),
      filter,
      report: (session, violation) => reportViolation(ctx, session, violation),
      giveUp: (session, cause) =>
        ctx.logger.error(new Error(`session ${JSON.stringify(session.id)} is not watched`, { cause })),
    })
    this.home = ctx
    this.watch = watch
    ctx.on('session/created', session => watch.see(session))
    if (mode === 'report') listen(ctx, 'session/event', (session, event) => watch.published(session, event))
    else {
      listen(ctx, 'internal/dispatch', (_mode, name, args, scope) => {
        if (name === 'session/event' && reaches(scope, ctx)) watch.judge(args[0], args[1])
      })
    }
    for (const session of ctx.sessions.list()) watch.see(session)
  }

  /**
   * Adds a rule, in force until the calling plugin is disposed or the returned function is called. Sessions that exist are
   * replayed for it.
   * @param name how reports call the rule
   * @throws INVALID_CONFIG when a rule of that name is in force, or `rule` is none; what its `initial` throws
   */
  register<State>(name: string, rule: Omit<InvariantRule<State>, 'name'>): () => void {
    const { watch, home } = this
    const named = namedRule(name, rule)
    return this.ctx.effect(
      () => {
        if (watch.rules.some(known => known.name === name)) {
          throw new SessionError('INVALID_CONFIG', {
            expected: 'a rule name that is free',
            found: JSON.stringify(name),
          })
        }
        watch.rules = [...watch.rules, named]
        for (const session of home.sessions.list()) watch.see(session)
        return () => {
          watch.rules = watch.rules.filter(known => known !== named)
        }
      },
      `ctx.invariants.register(${JSON.stringify(name)})`,
    )
  }
}

/** Whether a dispatch to `scope` would reach a listener of `ctx`. */
function reaches(scope: { [Context.filter]?(listener: Context): boolean } | null, ctx: Context): boolean {
  return scope?.[Context.filter]?.(ctx) ?? true
}
