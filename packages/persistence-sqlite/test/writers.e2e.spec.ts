import { writersProof } from '../../persistence/test/proofs/writers-proof.js'
import { proofBackend } from './support/proof-backend.js'

writersProof(proofBackend)
