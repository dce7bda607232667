declare module '@dsh/session' {
  interface SessionEventMap {
    /** Stands for one event that could not be read when a damaged log was salvaged, so that numbering holds. */
    'salvage/lost': { readonly reason: string }
  }
}

/** The type of the events that stand for lost ones. */
export const SALVAGE_LOST = 'salvage/lost'
