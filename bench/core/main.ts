import { printTable } from '../measure.ts'
import { benchAppend } from './append.ts'
import { loadOurs, loadPeer } from './contestants.ts'
import { benchDerive } from './derive.ts'
import { benchFork } from './lineage.ts'
import { printRestore } from './restore.ts'

const ours = await loadOurs()
const peer = await loadPeer()
console.log(
  `Node ${process.version}, ${process.platform} ${process.arch}${peer === undefined ? '; peer not installed' : ''}`,
)
printTable('Append', benchAppend(ours, peer))
printTable('Derived messages', benchDerive(ours, peer))
printTable('Fork and seed', benchFork(ours, peer))
printRestore(peer !== undefined)
