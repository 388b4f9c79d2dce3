"""What operators put before and beside the service, tried with their own programs: nginx and promtool.

`make test-operations` fetches both into `.venv/operations`, without installing or starting anything else.
"""
