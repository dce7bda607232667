import { parentPort } from 'node:worker_threads'
import type { Request } from './protocol.js'
import { Server } from './server.js'

// The entry of the thread that a database lives in.
const port = parentPort!
const server = new Server((reply, transfer) => port.postMessage(reply, transfer))
port.on('message', (request: Request) => server.handle(request))
