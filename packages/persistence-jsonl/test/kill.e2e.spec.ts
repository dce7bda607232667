import { killProof } from '../../persistence/test/proofs/kill-proof.js'
import { proofBackend } from './support/proof-backend.js'

killProof(proofBackend)
