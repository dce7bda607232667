import { ascii } from './line-scanner.js'

// The fixed beginnings of stored lines, piece by piece. Their order is part of the format.
export const TYPE = ascii('{"type":"')
export const SEQ = ascii(',"seq":')
export const TIME = ascii(',"time":')
export const DATA = ascii(',"data":')

export const SURFACE_OP = ascii(',"surfaceOp":')
export const APPEND = ascii('"append"')
export const REPLACE_START = ascii('{"op":"replace","start":')
export const REPLACE_END = ascii(',"end":')
export const CLOSE = ascii('}')
export const SOURCES = ascii(',"sourceEventSeqs":')

export const COUNT = ascii(',"n":')
export const TURN = ascii(',"data":{"turn":')
export const STEP = ascii(',"step":')
export const INDEX = ascii(',"index":')
export const ID = ascii(',"id":')
export const NAME = ascii(',"name":')
export const GAPS = ascii(',"dt":[')
export const LENGTHS = ascii('],"len":[')
