"""The log: one contract for every store, the chain, proofs of luck, and the verifier."""
