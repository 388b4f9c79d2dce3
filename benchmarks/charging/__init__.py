"""The parts of `benchmarks/charges.py`: the service in one process, the dearest places in it, and what is asked."""
