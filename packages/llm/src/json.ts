/** A value that JSON text can hold without loss. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue }

/** A JSON object: the form of tool parameters schemas and free-form payloads. */
export type JsonObject = { readonly [key: string]: JsonValue }
